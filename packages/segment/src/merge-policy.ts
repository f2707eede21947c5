/**
 * Merge policy: which segments to merge. Lucene's `TieredMergePolicy` with OpenSearch's parameters.
 *
 * Sizes are prorated: bytes times the share of documents that are not deleted. Segments are sorted by size,
 * descending. While there are more segments than the tiers allow, or more deleted documents than allowed, the best
 * candidate (a run of neighbours in size) is chosen by the lowest score: little skew, small size, many reclaimed
 * deletes. Only neighbours are candidates, because merging segments of similar size keeps the total cost of merging
 * at O(log n) rewrites per document.
 */
import { compareText, greatest } from "@orrery/stdx";

/** The size of a segment as the merge policy needs it. */
export interface SegmentSize {
  readonly name: string;
  readonly sizeBytes: number;
  readonly maxDoc: number;
  readonly deletedDocs: number;
}

/** Parameters of `TieredMergePolicy`; the names are Lucene's, the defaults OpenSearch's. */
export interface TieredMergeSettings {
  /** Segments that a tier may have before it is merged. */
  readonly segmentsPerTier: number;
  /** Most segments in one merge. */
  readonly maxMergeAtOnce: number;
  /**
   * Largest segment that a normal merge may produce. Segments above half of it are left alone, unless their deletes
   * have to be reclaimed.
   */
  readonly maxMergedSegmentBytes: number;
  /** Segments below this size count as this large, so that many tiny segments are not treated as many tiers. */
  readonly floorSegmentBytes: number;
  /** Percent of deleted documents over the whole index above which merges are chosen to reclaim them. */
  readonly deletesPctAllowed: number;
  /** Percent of deleted documents above which `findExpungeMerges` selects a segment. */
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

interface ProratedSegment {
  readonly segment: SegmentSize;
  /** Bytes, prorated by the share of documents that are not deleted. */
  readonly bytes: number;
}

/**
 * Merges that restore the tiers, each as the names of its segments; an empty list when the index is in shape.
 * Segments in `merging` are in a running merge and are not candidates, but their documents count in the totals.
 */
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
  // A segment above half of the maximum cannot be merged with another of its kind. It leaves the candidates and
  // raises the allowance, or the rest could never fulfil it. The exception reclaims deletes when the whole index has
  // too many.
  let tooBig = 0;
  const eligible = sorted.filter(({ segment, bytes }) => {
    if (merging.has(segment.name)) return false;
    if (bytes <= half) return true;
    const isDirty = deletedPct(segment) > settings.deletesPctAllowed && isOverDeleted;
    if (!isDirty) tooBig += 1;
    return isDirty;
  });
  // The allowance starts at the smallest segment, floored: the lowest tier.
  const smallest = Math.max(
    sorted.length === 0 ? 0 : (sorted.at(-1) as ProratedSegment).bytes,
    settings.floorSegmentBytes,
  );
  const allowed = allowedSegments(totalBytes, smallest, settings) + tooBig;
  return chooseMerges(eligible, { allowed, isOverDeleted, allowedDeleted, totalDeleted, settings });
}

interface MergeLimits {
  readonly allowed: number;
  readonly isOverDeleted: boolean;
  readonly allowedDeleted: number;
  readonly totalDeleted: number;
  readonly settings: TieredMergeSettings;
}

/**
 * Chooses merges until the rest is within the allowance. One call returns all merges that can run concurrently: they
 * share no segment.
 */
function chooseMerges(eligible: readonly ProratedSegment[], limits: MergeLimits): string[][] {
  const { settings, allowedDeleted } = limits;
  const merges: string[][] = [];
  let rest = [...eligible];
  let deleted = limits.totalDeleted;
  while (rest.length > limits.allowed || deleted > allowedDeleted) {
    const best = bestMerge(rest, settings, deleted > allowedDeleted);
    if (best === undefined) break;
    merges.push(best.map(({ segment }) => segment.name));
    const taken = new Set(best);
    rest = rest.filter((candidate) => !taken.has(candidate));
    // The deletes of a chosen merge will be reclaimed, so the next choice may already be within the limit.
    deleted -= sum(best, ({ segment }) => segment.deletedDocs);
  }
  return merges;
}

/** The candidate with the lowest score among the runs of neighbours in size; `undefined` when none is worth a merge. */
function bestMerge(
  sorted: readonly ProratedSegment[],
  settings: TieredMergeSettings,
  isReclaiming: boolean,
): readonly ProratedSegment[] | undefined {
  let best: readonly ProratedSegment[] | undefined;
  let bestScore = Infinity;
  for (let start = 0; start < sorted.length; start += 1) {
    const { candidate, hitTooLarge } = candidateFrom(sorted, start, settings);
    const [only] = candidate;
    if (only === undefined) continue;
    // Rewriting a single segment only pays when it reclaims deletes.
    if (candidate.length === 1 && (!isReclaiming || only.segment.deletedDocs === 0)) continue;
    const score = scoreOf(candidate, hitTooLarge, settings);
    if (score >= bestScore) continue;
    bestScore = score;
    best = candidate;
  }
  return best;
}

/** The run of neighbours that begins at `start`, bounded by number and by the size of the merged segment. */
function candidateFrom(
  sorted: readonly ProratedSegment[],
  start: number,
  settings: TieredMergeSettings,
): { readonly candidate: ProratedSegment[]; readonly hitTooLarge: boolean } {
  const candidate: ProratedSegment[] = [];
  let bytes = 0;
  let hitTooLarge = false;
  const limit = Math.min(settings.maxMergeAtOnce, Math.max(2, settings.segmentsPerTier));
  for (let i = start; i < sorted.length; i += 1) {
    // While the run is below the floor, tiny segments are merged up to the absolute maximum; otherwise the width of a
    // tier is the limit.
    const most = bytes < settings.floorSegmentBytes ? settings.maxMergeAtOnce : limit;
    if (candidate.length >= most) break;
    const next = sorted[i] as ProratedSegment;
    if (bytes + next.bytes > settings.maxMergedSegmentBytes) {
      hitTooLarge = true;
      // A segment that is too large for any merge may still be rewritten alone.
      if (candidate.length === 0) candidate.push(next);
      // The run ends here: without this segment the candidate would be no run of neighbours.
      break;
    }
    candidate.push(next);
    bytes += next.bytes;
  }
  return { candidate, hitTooLarge };
}

/**
 * Score of a candidate, lower is better (Lucene's `score`): the skew, that is, the share of the largest segment;
 * multiplied by a weak preference for small merges (exponent 0.05) and a strong one for reclaiming deletes (exponent
 * 2). A candidate that ran into the size limit gets the best skew, since it fills the largest allowed segment.
 */
function scoreOf(
  candidate: readonly ProratedSegment[],
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

/**
 * Number of segments that an index of this size may have: `segmentsPerTier` at each level, each level `factor` times
 * larger than the one below, up to the maximum size of a segment.
 */
function allowedSegments(
  totalBytes: number,
  smallestBytes: number,
  settings: TieredMergeSettings,
): number {
  const factor = Math.min(settings.maxMergeAtOnce, Math.max(2, settings.segmentsPerTier));
  let level = smallestBytes;
  let rest = totalBytes;
  // From the smallest level upwards: a full tier takes its share of the bytes; the last, partial one takes what is
  // left.
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

/**
 * Merges of `_forcemerge?max_num_segments=n`: at most `n` segments remain. With `n` = 1 a single segment with deletes
 * is rewritten, too.
 */
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
  // The smallest segments are merged into one, so that the rest and the merged one are `maxSegments`.
  const names = sorted.slice(Math.max(0, maxSegments - 1)).map(({ segment }) => segment.name);
  return [names];
}

/**
 * Merges of `_forcemerge?only_expunge_deletes`: segments with many deleted documents, the largest first, each merge
 * within the maximum size.
 */
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

function sortBySize(segments: readonly SegmentSize[]): ProratedSegment[] {
  return segments
    .map((segment): ProratedSegment => {
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
