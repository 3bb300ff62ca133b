import { WasmhookError } from "../errors.js";
import { isTransient } from "./loader.js";

/** Loads each module once. What is refused is not tried again; what failed of its surroundings is, by the next call. */
export class LoadOnce<Module> {
  readonly #modules = new Map<string, Promise<Module>>();

  get(id: string, load: () => Promise<Module>): Promise<Module> {
    const loaded = this.#modules.get(id) ?? this.#load(id, load);
    this.#modules.set(id, loaded);
    return loaded;
  }

  async #load(id: string, load: () => Promise<Module>): Promise<Module> {
    try {
      return await load();
    } catch (failure) {
      if (!(failure instanceof WasmhookError) || isTransient(failure)) this.#modules.delete(id);
      throw failure;
    }
  }
}
