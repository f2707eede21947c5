/** Deletions of whole indices that clients asked for: nobody is held to what one of them may have taken. */
import { matchesGlob } from "@orrery/stdx";
import type { Operation } from "../history.ts";
import type { World } from "../world.ts";

export interface IndexDeletions {
  /** Whether what this operation did may have been deleted with its index. */
  mayHaveTaken(operation: Operation): boolean;
  /** Whether the index of this operation may have been deleted at any time. */
  concern(operation: Operation): boolean;
}

export function indexDeletions(
  { clusterOf }: Pick<World, "clusterOf">,
  operations: readonly Operation[],
): IndexDeletions {
  const deletions = operations.flatMap((asked) => {
    const names = namesIn(asked);
    const cluster = clusterOf(asked.node);
    return names === undefined ? [] : [{ names, cluster, endMs: endOf(asked) }];
  });
  const of = ({ index, alias = index, node }: Operation): typeof deletions =>
    deletions.filter(
      ({ names, cluster }) =>
        index !== undefined &&
        alias !== undefined &&
        names.some((name) => name(index) || name(alias)) &&
        cluster === clusterOf(node),
    );
  return {
    mayHaveTaken: (operation) => of(operation).some(({ endMs }) => endMs > operation.invokedMs),
    concern: (operation) => of(operation).length > 0,
  };
}

/** Of a request that deletes indices, unless it was refused. */
function namesIn({
  operation = "",
  status,
}: Operation): ((index: string) => boolean)[] | undefined {
  const [, path] = /^DELETE \/(?:_data_stream\/)?([^/?]+)(?:\?|$)/.exec(operation) ?? [];
  if (path === undefined || (status !== undefined && refusals.has(status))) return undefined;
  const names = decoded(path).split(",");
  return names.map((name) => (index) => matchesGlob(name === "_all" ? "*" : name, index));
}

/** As it stands where it is not well encoded: nothing has such a name. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** "Not found" is none: whoever asks the next cluster manager may be told of his own first attempt. */
const refusals = new Set([400, 403, 405, 429]);

/** A deletion without a certain answer may be carried out at any time. */
function endOf({ outcome, returnedMs = Infinity }: Operation): number {
  return outcome === "ok" ? returnedMs : Infinity;
}
