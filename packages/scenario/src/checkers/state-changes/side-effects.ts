/** Requests that change parts of the state which their text does not name: these parts are not judged meanwhile. */
import { allIndices, type ChangeKind } from "./change.ts";

/** A restore creates indices and templates, and sets settings of the cluster, from the snapshot. */
export const restores: ChangeKind = ({ path }) =>
  path[0] === "_snapshot" && path[3] === "_restore" ? { claims: [], touches: [""] } : undefined;

const making: ReadonlySet<string> = new Set(["_rollover", "_shrink", "_split", "_clone"]);

export const indicesMadeOtherwise: ChangeKind = ({ path }) => {
  const [first = "", action = ""] = path;
  const isMaking = first === "_dangling" || first === "_data_stream" || making.has(action);
  return isMaking ? { claims: [], touches: allIndices } : undefined;
};

/** An index that follows one of another cluster copies its settings, mappings and aliases at any later time. */
export const replications: ChangeKind = ({ path }) =>
  path[0] === "_plugins" && path[1] === "_replication"
    ? { claims: [], touches: ["index-part"], isLasting: true }
    : undefined;

const writes: ReadonlySet<string> = new Set(["_doc", "_create", "_update", "_bulk"]);

/** A write creates a missing index. */
export const documentWrites: ChangeKind = ({ path }) => {
  const [first = "", action = ""] = path;
  if (writes.has(first)) return { claims: [], makes: "index" };
  return writes.has(action) ? { claims: [], makes: `index/${first}` } : undefined;
};
