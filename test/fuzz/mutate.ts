import { Random } from "../oracle/programs/random.js";
import { isModule, type Layer, layersIn, readLayer, type Section, writeLayer } from "./layers.js";
import { concat, mutatedBytes, noise } from "./mutate-bytes.js";
import { mutatedBody } from "./mutate-code.js";

const PREAMBLES = [
  [0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0],
  [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
];

/** One input, which the seed and the number determine. */
export function input(seeds: readonly Uint8Array[], seed: number, index: number): Uint8Array {
  const random = new Random(Math.imul(seed, 0x9e37_79b1) + index);
  const way = random.below(20);
  if (way === 0) return noise(random, random.below(300));
  if (way === 1) return concat(Uint8Array.from(random.pick(PREAMBLES)), noise(random, random.below(500)));
  let bytes = random.pick(seeds);
  for (let changes = 1 + random.below(random.once(3) ? 6 : 2); changes > 0; changes--) {
    bytes = way < 5 ? mutatedBytes(random, bytes) : mutatedLayers(random, bytes, seeds);
  }
  return bytes;
}

/** A component with something changed within its layers, all sizes right; with some bytes changed if it has no layers. */
function mutatedLayers(random: Random, bytes: Uint8Array, seeds: readonly Uint8Array[]): Uint8Array {
  try {
    const whole = readLayer(bytes);
    const layers = layersIn(whole);
    // Most of what there is to find is in the modules, and there are few components.
    const modules = layers.filter(isModule);
    const layer = random.once(3) || modules.length === 0 ? random.pick(layers) : random.pick(modules);
    mutateLayer(random, layer, seeds);
    return writeLayer(whole);
  } catch {
    return mutatedBytes(random, bytes);
  }
}

function mutateLayer(random: Random, layer: Layer, seeds: readonly Uint8Array[]): void {
  const { sections } = layer;
  const code = sections.find(({ content }) => "bodies" in content);
  if (code !== undefined && !random.once(3)) {
    mutateCode(random, layer, code);
    return;
  }
  const index = random.below(sections.length);
  const section = sections[index];
  switch (random.below(12)) {
    case 0:
      sections.splice(index, 1);
      return;
    case 1:
      if (section !== undefined) sections.splice(random.below(sections.length), 0, section);
      return;
    case 2:
      sections.splice(random.below(sections.length), 0, ...sections.splice(index, 1));
      return;
    case 3:
      sections.splice(index, random.below(2), random.pick(otherSections(random, layer, seeds)));
      return;
    case 4:
      if (section !== undefined) section.id = random.below(16);
      return;
    default:
      if (section?.content instanceof Uint8Array) section.content = mutatedBytes(random, section.content);
  }
}

/** Sections of the same kind of binary, out of another seed. */
function otherSections(random: Random, layer: Layer, seeds: readonly Uint8Array[]): Section[] {
  const others = layersIn(readLayer(random.pick(seeds))).filter(
    (other) => isModule(other) === isModule(layer),
  );
  return random.pick(others).sections;
}

function mutateCode(random: Random, layer: Layer, { content }: Section): void {
  if (!("bodies" in content)) return;
  const { bodies } = content;
  const index = random.below(bodies.length);
  const body = bodies[index];
  if (body === undefined) return;
  if (random.once(12)) bodies[index] = random.pick(bodies);
  else if (random.once(8)) bodies[index] = mutatedBytes(random, body);
  else bodies[index] = mutatedBody(random, writeLayer(layer), index);
}
