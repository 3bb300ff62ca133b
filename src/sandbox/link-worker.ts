import { encodeArtefact } from "./cache/encode-artefact.js";
import { prepareLinked } from "./link/prepare-linked.js";
import { serveLoads } from "./load-service.js";
import { dropAuthority } from "./realm.js";

dropAuthority();
serveLoads((call) => {
  const { component, artefact } = prepareLinked(call);
  return call.wantsArtefact ? { component, artefact: encodeArtefact(artefact) } : { component };
});
