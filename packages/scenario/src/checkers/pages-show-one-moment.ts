/**
 * INV-CONTEXT-1: the pages of a scroll, or of a point in time, show each document once: all that existed at one moment
 * between the request that opened it and its answer, and nothing later, as far as clients know (searches-of-a-run.ts).
 *
 * A page that fails because its node is gone ends the reading; a page without the answer of a shard may show less.
 */
import type { History, Operation, Page } from "../history.ts";
import type { Checker, Finding } from "./checker.ts";
import { watchPrimaries, knownPrimaryChanges } from "./new-primaries.ts";
import { judgeSearches, type Judged } from "./searches-of-a-run.ts";

export const pagesShowOneMoment: Checker = {
  name: "pages-show-one-moment",
  invariant: "INV-CONTEXT-1",
  says: "The pages of a scroll or a point in time show each document once, as of the moment it was opened, and no later write.",
  excusedBy: ["copies", "unsynced"],
  complaint: ({ workload }) =>
    workload.some(({ kind }) => kind === "pages") ? undefined : "no client reads pages",
  start: watchPrimaries,
  finish: async (world, plan, history) => judgePages(history, knownPrimaryChanges(world, plan)),
};

/** Judges the readings of a history. */
export function judgePages({ operations }: History, judged: Judged): Finding {
  const readings = operations.filter(isReading);
  for (const reading of readings) {
    const says = wrongPages(reading);
    if (says !== undefined) return `${nameOf(reading)}: ${says}`;
  }
  const writes = operations.filter(({ kind }) => kind !== "search");
  const wrong = judgeSearches({ operations: [...writes, ...readings.map(asSearch)] }, judged);
  return wrong === undefined ? undefined : `as pages of one moment, ${wrong}`;
}

interface Reading extends Operation {
  readonly pages: Page[];
}

function isReading(operation: Operation): operation is Reading {
  return operation.outcome === "ok" && operation.pages !== undefined;
}

function nameOf({ operation = "", invokedMs }: Reading): string {
  return `[${operation}] at ${Math.round(invokedMs)} ms`;
}

function wrongPages({ index, pages, isRead }: Reading): string | undefined {
  const seen = new Map<string, number>();
  for (const [i, { hits }] of pages.entries()) {
    for (const { document } of hits) {
      const before = seen.get(document);
      if (before !== undefined)
        return `it showed ${index}/${document} twice, on the pages ${before} and ${i + 1}`;
      seen.set(document, i + 1);
    }
  }
  const whole = pages.filter(({ isWhole }) => isWhole);
  const [first] = whole;
  const other = whole.find(({ total }) => total !== first?.total);
  if (other !== undefined)
    return `its page ${pages.indexOf(other) + 1} tells of ${other.total} documents, one before of ${first?.total}`;
  const isAll = isRead === true && whole.length === pages.length;
  if (isAll && first?.total !== seen.size)
    return `it showed ${seen.size} documents of ${first?.total}`;
  return undefined;
}

/** The pages of a reading as one search at the moment of its opening. */
function asSearch({ pages, isRead, ...operation }: Reading): Operation {
  const hits = pages.flatMap((page) => page.hits);
  return {
    ...operation,
    kind: "search",
    hits,
    total: hits.length,
    isForAll: true,
    isWhole: operation.isWhole === true && isRead === true && pages.every(({ isWhole }) => isWhole),
  };
}
