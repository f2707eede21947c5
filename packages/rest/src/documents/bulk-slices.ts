/**
 * A large bulk, without ever making all of its writes at once: read through first, so that what is malformed, refused or too much
 * is told before anything is written; then slice by slice, each written and printed before the one after the next is read.
 *
 * Slices follow each other, as two writes of one document must. The node does other things between two of them, and between any two
 * turns of reading.
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

/** A smaller body is written in one piece. */
export const LARGE_BULK_BYTES: number = 2 * 1024 * 1024;

const SLICE_BYTES = 2 * 1024 * 1024;
const SLICE_ENTRIES = 2000;

/** So many are told; nobody reads more. */
const MOST_PROBLEMS = 10_000;

/** How long reading may keep other work of this node waiting, looked at every so many entries. */
const TURN_MS = 10;
const ENTRIES_A_LOOK = 256;

export interface LargeBulk {
  /** From the first line on, each time it is called. */
  readonly entries: () => Iterator<BulkEntry>;
  readonly options: WriteOptions;
  /** Of what cannot be sent at all: see `validate`. */
  readonly problemsOf: (entry: BulkEntry) => readonly string[];
  /** Throws when there are problems, or nothing at all. */
  readonly judge: (problems: readonly string[], count: number) => void;
  readonly refusalOf: (entry: BulkEntry) => WriteFailure | undefined;
  readonly print: (items: readonly (WriteResult | WriteFailure)[]) => Printable;
}

export interface WrittenBulk {
  readonly tookMs: number;
  /** Of all slices; `undefined`: none had a pipeline. */
  readonly ingestTookMs: number | undefined;
  readonly hasErrors: boolean;
  /** JSON of the items, in order. */
  readonly items: readonly Printable[];
}

export async function writeInSlices(cluster: Cluster, bulk: LargeBulk): Promise<WrittenBulk> {
  const { clock } = cluster;
  const bytes = await readThrough(cluster, bulk);
  const release = cluster.admitWrites(bytes);
  const startedMs = clock.monotonicMs();
  try {
    const written = await writeSlices(cluster, bulk);
    return { ...written, tookMs: Math.round(clock.monotonicMs() - startedMs) };
  } finally {
    release();
  }
}

/** What the writes will take. */
async function readThrough(
  cluster: Cluster,
  { entries, problemsOf, judge }: LargeBulk,
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
  judge(problems, count);
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
    // While the shards write.
    slice = nextSlice(all);
    const { items: written, ingestTookMs: took } = await answer;
    if (took !== undefined) ingestTookMs = (ingestTookMs ?? 0) + took;
    const answered = merged(refused, written);
    for (const item of answered) {
      if (item.kind === "failed") hasErrors = true;
      else indices.add(item.index);
    }
    items.push(print(options.refresh === "false" ? answered : answered.map(asRefreshed)));
  }
  if (options.refresh !== "false" && indices.size > 0) await refresh(cluster, [...indices]);
  return { hasErrors, ingestTookMs, items };
}

/** Once, for all slices. */
async function refresh(cluster: Cluster, indices: readonly string[]): Promise<void> {
  // One that was closed or deleted meanwhile has nothing to show.
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

/** Answers in the place of their entries: those of what was refused and those of what was sent. */
export function merged(
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

/** Lets others go on when this has gone on for long enough. */
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
