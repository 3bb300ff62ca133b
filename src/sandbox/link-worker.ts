import { encodeArtefact } from "./cache/encode-artefact.js";
import { serveLoads } from "./load-service.js";
import { prepare } from "./prepare.js";
import { dropAuthority } from "./realm.js";

dropAuthority();
serveLoads((call) => {
  const { guest, artefact } = prepare(call);
  return call.wantsArtefact ? { guest, artefact: encodeArtefact(artefact) } : { guest };
});
