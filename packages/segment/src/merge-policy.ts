/**
 * Which segments to merge: Lucene's `TieredMergePolicy`, with OpenSearch's parameters.
 *
 * Sizes are taken without deleted documents. Segments are sorted by size; as long as there are more than the tiers
 * allow, the merge with the best score is chosen: little skew, little size, many reclaimed deletes.
 */
import { compareText, greatest } from "@orrery/stdx";

/** What the merge policy needs to know about a segment. */
export interface SegmentSize {
  readonly name: string;
  readonly sizeBytes: number;
  readonly maxDoc: number;
  readonly deletedDocs: number;
}

/** Lucene's TieredMergePolicy parameters, under OpenSearch's defaults. */
export interface TieredMergeSettings {
  readonly segmentsPerTier: number;
  readonly maxMergeAtOnce: number;
  readonly maxMergedSegmentBytes: number;
  readonly floorSegmentBytes: number;
  /** Percent of deleted documents over the whole index above which merges are chosen to reclaim. */
  readonly deletesPctAllowed: number;
  /** `expungeDeletes` takes segments with more percent deleted than this. */
  readonly expungeDeletesAllowed: number;
}

const MEBIBYTE = 1024 * 1024;

export const DEFAULT_TIERED_MERGE_SETTINGS: TieredMergeSettings = {
  segmentsPerTier: 10,
  maxMergeAtOnce: 30,
  maxMergedSegmentBytes: 5 * 1024 * MEBIBYTE,
  floorSegmentBytes: 16 * MEBIBYTE,
  deletesPctAllowed: 20,
  expungeDeletesAllowed: 10,
};

interface Sized {
  readonly segment: SegmentSize;
  /** Bytes, less the share of deleted documents. */
  readonly bytes: number;
}

/** Merges that keep the tiers in shape, each as the names of its segments. `merging`: those already in a merge. */
export function findMerges(
  segments: readonly SegmentSize[],
  merging: ReadonlySet<string> = new Set(),
  settings: TieredMergeSettings = DEFAULT_TIERED_MERGE_SETTINGS,
): string[][] {
  const sorted = sortBySize(segments);
  const totalBytes = sum(sorted, ({ bytes }) => bytes);
  const totalDocs = sum(sorted, ({ segment }) => segment.maxDoc);
  const totalDeleted = sum(sorted, ({ segment }) => segment.deletedDocs);
  const allowedDeleted = (settings.deletesPctAllowed * totalDocs) / 100;
  const isOverDeleted = totalDeleted > allowedDeleted;
  const half = settings.maxMergedSegmentBytes / 2;
  let tooBig = 0;
  const eligible = sorted.filter(({ segment, bytes }) => {
    if (merging.has(segment.name)) return false;
    if (bytes <= half) return true;
    const isDirty = deletedPct(segment) > settings.deletesPctAllowed && isOverDeleted;
    if (!isDirty) tooBig += 1;
    return isDirty;
  });
  const smallest = Math.max(
    sorted.length === 0 ? 0 : (sorted.at(-1) as Sized).bytes,
    settings.floorSegmentBytes,
  );
  const allowed = allowedSegments(totalBytes, smallest, settings) + tooBig;
  return chooseMerges(eligible, { allowed, isOverDeleted, allowedDeleted, totalDeleted, settings });
}

interface Choice {
  readonly allowed: number;
  readonly isOverDeleted: boolean;
  readonly allowedDeleted: number;
  readonly totalDeleted: number;
  readonly settings: TieredMergeSettings;
}

function chooseMerges(eligible: readonly Sized[], choice: Choice): string[][] {
  const { settings, allowedDeleted } = choice;
  const merges: string[][] = [];
  let rest = [...eligible];
  let deleted = choice.totalDeleted;
  while (rest.length > choice.allowed || deleted > allowedDeleted) {
    const best = bestMerge(rest, settings, deleted > allowedDeleted);
    if (best === undefined) break;
    merges.push(best.map(({ segment }) => segment.name));
    const taken = new Set(best);
    rest = rest.filter((candidate) => !taken.has(candidate));
    deleted -= sum(best, ({ segment }) => segment.deletedDocs);
  }
  return merges;
}

/** The candidate with the lowest score among runs of neighbours in size. */
function bestMerge(
  sorted: readonly Sized[],
  settings: TieredMergeSettings,
  isReclaiming: boolean,
): readonly Sized[] | undefined {
  let best: readonly Sized[] | undefined;
  let bestScore = Infinity;
  for (let start = 0; start < sorted.length; start += 1) {
    const { candidate, hitTooLarge } = candidateFrom(sorted, start, settings);
    const [only] = candidate;
    if (only === undefined) continue;
    // One segment alone is worth rewriting only for its deletes.
    if (candidate.length === 1 && (!isReclaiming || only.segment.deletedDocs === 0)) continue;
    const score = scoreOf(candidate, hitTooLarge, settings);
    if (score >= bestScore) continue;
    bestScore = score;
    best = candidate;
  }
  return best;
}

function candidateFrom(
  sorted: readonly Sized[],
  start: number,
  settings: TieredMergeSettings,
): { readonly candidate: Sized[]; readonly hitTooLarge: boolean } {
  const candidate: Sized[] = [];
  let bytes = 0;
  let hitTooLarge = false;
  const limit = Math.min(settings.maxMergeAtOnce, Math.max(2, settings.segmentsPerTier));
  for (let i = start; i < sorted.length; i += 1) {
    // Tiny segments are taken together up to the absolute limit, others up to the width of a tier.
    const most = bytes < settings.floorSegmentBytes ? settings.maxMergeAtOnce : limit;
    if (candidate.length >= most) break;
    const next = sorted[i] as Sized;
    if (bytes + next.bytes > settings.maxMergedSegmentBytes) {
      hitTooLarge = true;
      // A segment beyond the limit may be rewritten on its own.
      if (candidate.length === 0) candidate.push(next);
      break;
    }
    candidate.push(next);
    bytes += next.bytes;
  }
  return { candidate, hitTooLarge };
}

/** Lower is better: skew (largest share), gently by size, strongly by what is reclaimed. */
function scoreOf(
  candidate: readonly Sized[],
  hitTooLarge: boolean,
  settings: TieredMergeSettings,
): number {
  const floored = candidate.map(({ bytes }) => Math.max(settings.floorSegmentBytes, bytes));
  const total = floored.reduce((a, b) => a + b, 0);
  const before = sum(candidate, ({ segment }) => segment.sizeBytes);
  const after = sum(candidate, ({ bytes }) => bytes);
  const skew = hitTooLarge ? 1 / Math.max(2, settings.segmentsPerTier) : greatest(floored) / total;
  const keptShare = before === 0 ? 1 : after / before;
  return skew * Math.max(1, after) ** 0.05 * keptShare ** 2;
}

/** How many segments a well-kept index of this size may have: tiers that grow by their width. */
function allowedSegments(
  totalBytes: number,
  smallestBytes: number,
  settings: TieredMergeSettings,
): number {
  const factor = Math.min(settings.maxMergeAtOnce, Math.max(2, settings.segmentsPerTier));
  let level = smallestBytes;
  let rest = totalBytes;
  let allowed = 0;
  for (;;) {
    const atLevel = rest / level;
    if (atLevel < settings.segmentsPerTier || level === settings.maxMergedSegmentBytes) {
      allowed += Math.ceil(atLevel);
      break;
    }
    allowed += settings.segmentsPerTier;
    rest -= settings.segmentsPerTier * level;
    level = Math.min(settings.maxMergedSegmentBytes, level * factor);
  }
  return Math.max(allowed, settings.segmentsPerTier);
}

/** `_forcemerge?max_num_segments=n`: merges that bring the index to at most so many segments. */
export function findForcedMerges(
  segments: readonly SegmentSize[],
  maxSegments: number,
  merging: ReadonlySet<string> = new Set(),
): string[][] {
  const sorted = sortBySize(segments.filter(({ name }) => !merging.has(name)));
  const [only] = sorted;
  if (sorted.length <= maxSegments) {
    const isClean = maxSegments > 1 || sorted.every(({ segment }) => segment.deletedDocs === 0);
    return isClean || only === undefined ? [] : [[only.segment.name]];
  }
  // The smallest ones together: so many that the rest and their merge are the number wanted.
  const names = sorted.slice(Math.max(0, maxSegments - 1)).map(({ segment }) => segment.name);
  return [names];
}

/** `_forcemerge?only_expunge_deletes`: segments with many deleted documents, largest first, in merges of bounded size. */
export function findExpungeMerges(
  segments: readonly SegmentSize[],
  merging: ReadonlySet<string> = new Set(),
  settings: TieredMergeSettings = DEFAULT_TIERED_MERGE_SETTINGS,
): string[][] {
  const dirty = sortBySize(segments).filter(
    ({ segment }) =>
      !merging.has(segment.name) && deletedPct(segment) > settings.expungeDeletesAllowed,
  );
  const merges: string[][] = [];
  let at = 0;
  while (at < dirty.length) {
    const { candidate } = candidateFrom(dirty, at, { ...settings, segmentsPerTier: Infinity });
    merges.push(candidate.map(({ segment }) => segment.name));
    at += candidate.length;
  }
  return merges;
}

function sortBySize(segments: readonly SegmentSize[]): Sized[] {
  return segments
    .map((segment): Sized => {
      const kept = segment.maxDoc === 0 ? 1 : 1 - segment.deletedDocs / segment.maxDoc;
      return { segment, bytes: segment.sizeBytes * kept };
    })
    .toSorted((a, b) => b.bytes - a.bytes || compareText(a.segment.name, b.segment.name));
}

function deletedPct({ maxDoc, deletedDocs }: SegmentSize): number {
  return maxDoc === 0 ? 0 : (100 * deletedDocs) / maxDoc;
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
