/**
 * Large bulks in bounded memory. The first pass reads the whole body and reports malformed or refused items before
 * any write. The second pass reads it again slice by slice; the next slice is parsed while the shards write the
 * current one.
 *
 * Slices are written strictly one after the other, because two writes of one document must keep their order. Other
 * work of the node runs between slices and between turns of reading.
 */
import { appendAll } from "@orrery/stdx";
import {
  bytesOfWrite,
  type Cluster,
  type WriteFailure,
  type WriteOptions,
  type WriteResult,
} from "@orrery/node";
import type { Printable } from "../json/printable.ts";
import type { BulkEntry } from "./bulk-lines.ts";

/** Size of a body from which it is written in slices. */
export const LARGE_BULK_BYTES: number = 2 * 1024 * 1024;

const SLICE_BYTES = 2 * 1024 * 1024;
const SLICE_ENTRIES = 2000;

/** Maximum of problems that are collected for the error message. */
const MOST_PROBLEMS = 10_000;

/** Length of a reading turn, and the number of entries between two looks at the clock. */
const TURN_MS = 10;
const ENTRIES_A_LOOK = 256;

/** A bulk whose body can be read repeatedly. */
export interface LargeBulk {
  /** Starts a new pass over the entries at each call. */
  readonly entries: () => Iterator<BulkEntry>;
  readonly options: WriteOptions;
  /** Validation problems of an entry, for the error of the whole request; see `validate`. */
  readonly problemsOf: (entry: BulkEntry) => readonly string[];
  /** Ends the first pass: throws when there are problems, or when the body holds no item. */
  readonly checkProblems: (problems: readonly string[], count: number) => void;
  readonly refusalOf: (entry: BulkEntry) => WriteFailure | undefined;
  readonly print: (items: readonly (WriteResult | WriteFailure)[]) => Printable;
}

/** Result of a bulk that was written in slices. */
export interface WrittenBulk {
  readonly tookMs: number;
  /** Total time in ingest pipelines of all slices; `undefined`: no item had a pipeline. */
  readonly ingestTookMs: number | undefined;
  readonly hasErrors: boolean;
  /** Printed items, in the order of the request. */
  readonly items: readonly Printable[];
}

/**
 * Validates, admits and writes a large bulk. Rejects before the first write for invalid items or too many bytes;
 * afterwards failures are those of items, except for a cluster block, which rejects.
 */
export async function writeInSlices(cluster: Cluster, bulk: LargeBulk): Promise<WrittenBulk> {
  const { clock } = cluster;
  const bytes = await validateAll(cluster, bulk);
  const release = cluster.admitWrites(bytes);
  const startedMs = clock.monotonicMs();
  try {
    const written = await writeSlices(cluster, bulk);
    return { ...written, tookMs: Math.round(clock.monotonicMs() - startedMs) };
  } finally {
    release();
  }
}

/** The first pass: validates all entries and returns the bytes that indexing pressure has to admit. */
async function validateAll(
  cluster: Cluster,
  { entries, problemsOf, checkProblems }: LargeBulk,
): Promise<number> {
  const turn = createTurn(cluster);
  const problems: string[] = [];
  const all = entries();
  let count = 0;
  let bytes = 0;
  for (let next = all.next(); next.done !== true; next = all.next()) {
    count += 1;
    bytes += bytesOfWrite(next.value.item);
    if (problems.length < MOST_PROBLEMS) appendAll(problems, problemsOf(next.value));
    if (count % ENTRIES_A_LOOK === 0) await turn();
  }
  checkProblems(problems, count);
  return bytes;
}

async function writeSlices(
  cluster: Cluster,
  { entries, options, refusalOf, print }: LargeBulk,
): Promise<Omit<WrittenBulk, "tookMs">> {
  const all = entries();
  const indices = new Set<string>();
  const items: Printable[] = [];
  let hasErrors = false;
  let ingestTookMs: number | undefined;
  let slice = nextSlice(all);
  while (slice.length > 0) {
    const refused = slice.map(refusalOf);
    const sent = slice.flatMap((entry, i) => (refused[i] === undefined ? [entry.item] : []));
    const answer = cluster.bulk({ ...options, refresh: "false", isAdmitted: true, items: sent });
    // Parsing overlaps with the writes of the current slice.
    slice = nextSlice(all);
    const { items: written, ingestTookMs: took } = await answer;
    if (took !== undefined) ingestTookMs = (ingestTookMs ?? 0) + took;
    const answered = mergeAnswers(refused, written);
    for (const item of answered) {
      if (item.kind === "failed") hasErrors = true;
      else indices.add(item.index);
    }
    items.push(print(options.refresh === "false" ? answered : answered.map(asRefreshed)));
  }
  if (options.refresh !== "false" && indices.size > 0) await refresh(cluster, [...indices]);
  return { hasErrors, ingestTookMs, items };
}

/** One refresh after all slices, of the indices that were written. */
async function refresh(cluster: Cluster, indices: readonly string[]): Promise<void> {
  // An index that has been closed or deleted since is skipped.
  const indicesOptions = {
    ignoreUnavailable: true,
    allowNoIndices: true,
    expandOpen: false,
    expandClosed: false,
    expandHidden: false,
    forbidClosedIndices: false,
    allowAliasesToMultipleIndices: true,
    ignoreAliases: true,
  };
  await cluster.refresh({ indices, indicesOptions });
}

function asRefreshed(item: WriteResult | WriteFailure): WriteResult | WriteFailure {
  return item.kind === "failed" ? item : { ...item, forcedRefresh: true };
}

function nextSlice(all: Iterator<BulkEntry>): BulkEntry[] {
  const slice: BulkEntry[] = [];
  let bytes = 0;
  while (slice.length < SLICE_ENTRIES && bytes < SLICE_BYTES) {
    const next = all.next();
    if (next.done === true) break;
    slice.push(next.value);
    bytes += next.value.item.source.length;
  }
  return slice;
}

/** The answers in the order of the entries: `refused` has an entry for each item, `answered` one for each item that was sent. */
export function mergeAnswers(
  refused: readonly (WriteFailure | undefined)[],
  answered: readonly (WriteResult | WriteFailure)[],
): (WriteResult | WriteFailure)[] {
  let next = 0;
  return refused.flatMap((failed) => {
    if (failed !== undefined) return [failed];
    const answer = answered[next];
    next += 1;
    return answer === undefined ? [] : [answer];
  });
}

/** A function that yields to other work of the node once the turn is over. */
function createTurn({ clock }: Cluster): () => Promise<void> {
  let endMs = clock.monotonicMs() + TURN_MS;
  return async () => {
    if (clock.monotonicMs() < endMs && clock.areTurnsShort?.() !== true) return;
    await new Promise<void>((resolve) => {
      clock.setTimer(0, resolve);
    });
    endMs = clock.monotonicMs() + TURN_MS;
  };
}
