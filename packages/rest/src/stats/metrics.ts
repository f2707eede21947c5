/** Metric lists of paths: which sections are wanted, and the refusal of names that are none. */
import { illegalArgument } from "@orrery/stdx";
import { splitList } from "../parameters.ts";
import { unrecognized } from "../unrecognized.ts";
import { metricOf, sectionNames, type SectionName } from "./sections.ts";

/** `undefined`: no restriction. Throws on unknown names, and on `_all` beside others. */
export function checkedMetrics(
  given: string | undefined,
  { known, path }: { readonly known: readonly string[]; readonly path: string },
): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = splitList(given);
  if (names.includes("_all")) {
    if (names.length === 1) return undefined;
    throw illegalArgument(`request [${path}] contains _all and individual metrics [${given}]`);
  }
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw unrecognized(path, "metric", unknown, known);
  return names;
}

/** Sections that index metrics name; `undefined` means all. */
export function sectionsOf(metrics: readonly string[] | undefined): ReadonlySet<SectionName> {
  if (metrics === undefined) return new Set(sectionNames);
  return new Set(sectionNames.filter((section) => metrics.includes(metricOf(section))));
}

export const indexMetrics: readonly string[] = sectionNames.map(metricOf);
