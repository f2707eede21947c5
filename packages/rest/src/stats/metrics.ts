/** Metric lists in paths: the requested sections, and the error for unknown metrics. */
import { illegalArgument } from "@orrery/stdx";
import { splitList } from "../parameters.ts";
import { unrecognized } from "../unrecognized.ts";
import { metricOf, sectionNames, type SectionName } from "./sections.ts";

/**
 * The metrics of a comma-separated list; `undefined`, for all, without a list and for `_all`. Throws for unknown names,
 * and for `_all` together with others.
 */
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

/** Sections that the metrics select; `undefined` selects all. */
export function sectionsOf(metrics: readonly string[] | undefined): ReadonlySet<SectionName> {
  if (metrics === undefined) return new Set(sectionNames);
  return new Set(sectionNames.filter((section) => metrics.includes(metricOf(section))));
}

/** Names of all sections as metrics in paths. */
export const indexMetrics: readonly string[] = sectionNames.map(metricOf);
