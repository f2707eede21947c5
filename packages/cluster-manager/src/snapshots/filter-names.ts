/** Which of a snapshot's indices are meant: names, patterns, exclusions. Source: `SnapshotUtils.filterIndices`. */
import { matchesPattern } from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";

export function filterNames(
  available: readonly string[],
  wanted: readonly string[],
  ignoreUnavailable: boolean,
): readonly string[] {
  if (wanted.length === 0 || (wanted.length === 1 && ["_all", "*"].includes(wanted[0] ?? ""))) {
    return available;
  }
  let chosen = new Set<string>();
  for (const [i, given] of wanted.entries()) {
    const isExcluded = given.startsWith("-") && i > 0;
    const name = isExcluded || given.startsWith("+") ? given.slice(1) : given;
    const isPattern = name.includes("*");
    const found = available.filter((one) => (isPattern ? matchesPattern(name, one) : one === name));
    if (!isPattern && found.length === 0 && !ignoreUnavailable) throw notFound(name);
    chosen = isExcluded
      ? new Set([...chosen].filter((one) => !found.includes(one)))
      : new Set([...chosen, ...found]);
  }
  return available.filter((name) => chosen.has(name));
}

function notFound(name: string): OperationError {
  return new OperationError({
    type: "index_not_found_exception",
    reason: `no such index [${name}]`,
    status: 404,
    metadata: { index: name, index_uuid: "_na_" },
  });
}
