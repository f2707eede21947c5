/** Selection among the indices of a snapshot by names, patterns and exclusions (`SnapshotUtils.filterIndices`). */
import { matchesGlob, OperationError } from "@orrery/stdx";

/** Options for names that match no index. */
export interface FilterOptions {
  /** Whether a plain name may match no index. */
  readonly ignoreUnavailable: boolean;
  /** Whether a pattern may match no index. */
  readonly allowNoIndices: boolean;
}

/** Options under which no name needs a match. */
export const lenient: FilterOptions = { ignoreUnavailable: true, allowNoIndices: true };

/**
 * The available names that `wanted` selects, in the order of `available`; an empty `wanted` selects all.
 * @throws OperationError `index_not_found_exception`
 */
export function filterNames(
  available: readonly string[],
  wanted: readonly string[],
  { ignoreUnavailable, allowNoIndices }: FilterOptions,
): readonly string[] {
  if (wanted.length === 0 || (wanted.length === 1 && wanted[0] === "_all")) return available;
  let chosen = new Set<string>();
  for (const [i, given] of wanted.entries()) {
    const { name, isExcluded } = readName(given, available);
    // A leading exclusion subtracts from all available names.
    if (isExcluded && i === 0) chosen = new Set(available);
    const isPattern = name.includes("*");
    const found = available.filter((one) => (isPattern ? matchesGlob(name, one) : one === name));
    const mayBeMissing = isPattern ? allowNoIndices : ignoreUnavailable;
    if (found.length === 0 && !mayBeMissing) throw notFound(name);
    chosen = isExcluded
      ? new Set([...chosen].filter((one) => !found.includes(one)))
      : new Set([...chosen, ...found]);
  }
  return available.filter((name) => chosen.has(name));
}

function readName(
  given: string,
  available: readonly string[],
): { readonly name: string; readonly isExcluded: boolean } {
  const isSigned = /^[+-]/.test(given) && !available.includes(given);
  return { name: isSigned ? given.slice(1) : given, isExcluded: isSigned && given.startsWith("-") };
}

function notFound(name: string): OperationError {
  return new OperationError({
    type: "index_not_found_exception",
    reason: `no such index [${name}]`,
    status: 404,
    metadata: { index: name, index_uuid: "_na_" },
  });
}
