/** Which of a snapshot's indices are meant: names, patterns, exclusions. Source: `SnapshotUtils.filterIndices`. */
import { matchesGlob, OperationError } from "@orrery/stdx";

export interface FilterOptions {
  readonly ignoreUnavailable: boolean;
  /** A pattern may mean nothing. */
  readonly allowNoIndices: boolean;
}

export const lenient: FilterOptions = { ignoreUnavailable: true, allowNoIndices: true };

export function filterNames(
  available: readonly string[],
  wanted: readonly string[],
  { ignoreUnavailable, allowNoIndices }: FilterOptions,
): readonly string[] {
  if (wanted.length === 0 || (wanted.length === 1 && wanted[0] === "_all")) return available;
  let chosen = new Set<string>();
  for (const [i, given] of wanted.entries()) {
    const { name, isExcluded } = readName(given, available);
    // An exclusion that comes first takes from all there are.
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
