/** Requests that change parts of the state which nobody can name beforehand: these parts are not judged meanwhile. */
import { allIndices, type ChangeKind } from "./change.ts";

/** A snapshot brings indices and templates, and settings of the cluster, as it knew them. */
export const restores: ChangeKind = ({ path }) =>
  path[0] === "_snapshot" && path[3] === "_restore" ? { claims: [], touches: [""] } : undefined;

const making: ReadonlySet<string> = new Set(["_rollover", "_shrink", "_split", "_clone"]);

export const indicesMadeOtherwise: ChangeKind = ({ path }) => {
  const [first = "", action = ""] = path;
  const isMaking = first === "_dangling" || first === "_data_stream" || making.has(action);
  return isMaking ? { claims: [], touches: allIndices } : undefined;
};

/** An index that replicates one of another cluster takes its settings, mappings and aliases at any time from then on. */
export const replications: ChangeKind = ({ path }) =>
  path[0] === "_plugins" && path[1] === "_replication"
    ? { claims: [], touches: ["index-part"], isLasting: true }
    : undefined;

const writes: ReadonlySet<string> = new Set(["_doc", "_create", "_update", "_bulk"]);

/** A write makes the index that it does not find. */
export const documentWrites: ChangeKind = ({ path }) => {
  const [first = "", action = ""] = path;
  if (writes.has(first)) return { claims: [], makes: "index" };
  return writes.has(action) ? { claims: [], makes: `index/${first}` } : undefined;
};
