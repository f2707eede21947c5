/** Requests that change parts of the state which their text does not name: these parts are not judged meanwhile. */
import { allIndices, type ChangeKind } from "./change.ts";

/**
 * Effect of a request to restore: it may change indices, templates and cluster settings that it does not name, so the
 * whole state is exempt from judgement.
 */
export const restores: ChangeKind = ({ path }) =>
  path[0] === "_snapshot" && path[3] === "_restore" ? { claims: [], touches: [""] } : undefined;

const making: ReadonlySet<string> = new Set(["_rollover", "_shrink", "_split", "_clone"]);

export const indicesMadeOtherwise: ChangeKind = ({ path }) => {
  const [first = "", action = ""] = path;
  const isMaking = first === "_dangling" || first === "_data_stream" || making.has(action);
  return isMaking ? { claims: [], touches: allIndices } : undefined;
};

/**
 * Effect of a request of cross-cluster replication: the index copies settings, mappings and aliases of the other
 * cluster at any later time, so these parts of all indices are exempt from judgement for good.
 */
export const replications: ChangeKind = ({ path }) =>
  path[0] === "_plugins" && path[1] === "_replication"
    ? { claims: [], touches: ["index-part"], isLasting: true }
    : undefined;

const writes: ReadonlySet<string> = new Set(["_doc", "_create", "_update", "_bulk"]);

/** Effect of a write of documents: a missing index is created. */
export const documentWrites: ChangeKind = ({ path }) => {
  const [first = "", action = ""] = path;
  if (writes.has(first)) return { claims: [], makes: "index" };
  return writes.has(action) ? { claims: [], makes: `index/${first}` } : undefined;
};
