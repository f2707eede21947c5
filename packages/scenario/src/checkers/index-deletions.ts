/** Deletions of whole indices by clients: documents that may have gone with their index are not judged. */
import { matchesGlob } from "@orrery/stdx";
import type { Operation } from "../history.ts";
import type { World } from "../world.ts";

export interface IndexDeletions {
  /** True if the effect of this operation may have been deleted with its index. */
  mayHaveTaken(operation: Operation): boolean;
  /** True if the index of this operation may have been deleted at any time of the run. */
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

/** Index names of a deletion request; none if the request was rejected. */
function namesIn({
  operation = "",
  status,
}: Operation): ((index: string) => boolean)[] | undefined {
  const [, path] = /^DELETE \/(?:_data_stream\/)?([^/?]+)(?:\?|$)/.exec(operation) ?? [];
  if (path === undefined || (status !== undefined && refusals.has(status))) return undefined;
  const names = decoded(path).split(",");
  return names.map((name) => (index) => matchesGlob(name === "_all" ? "*" : name, index));
}

/** Decoded path; a path that is not well encoded stays as it is, as no index has such a name. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Statuses that prove that nothing was deleted. 404 is not among them: a request retried at the next cluster manager
 * may report the effect of its own first attempt.
 */
const refusals = new Set([400, 403, 405, 429]);

/** Time at which the deletion is complete; never, if its outcome is unknown. */
function endOf({ outcome, returnedMs = Infinity }: Operation): number {
  return outcome === "ok" ? returnedMs : Infinity;
}
