import { prepareLinked } from "./link/prepare-linked.js";
import { serveLoads } from "./load-service.js";
import { dropAuthority } from "./realm.js";

dropAuthority();
serveLoads(prepareLinked);
