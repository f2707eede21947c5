/**
 * Indices, documents and aliases that a drawn sequence has made so far: its next requests are about them.
 *
 * A draft is a guess: a request that was refused may be taken for one that succeeded. Only what makes two right answers differ
 * must be known for certain, and that is known from the requests alone: whether something was written since the last refresh,
 * and whether an index has documents that were replaced or deleted.
 */
import { setKey, type Json, type JsonObject, type Random } from "@orrery/stdx";

export interface DraftIndex {
  readonly name: string;
  readonly shards: number;
  readonly ids: string[];
  isOpen: boolean;
  /** Documents that are no more count in the statistics of scores until a merge, whose time is not the client's. */
  hasRemovals: boolean;
}

export interface Draft {
  readonly random: Random;
  readonly indices: Map<string, DraftIndex>;
  /** An alias and the index it stands for. */
  readonly aliases: Map<string, string>;
  /** Written to since the last refresh: a search before the next one may see it or not. */
  isDirty: boolean;
  /** Never the same twice: a last sort key without ties. */
  next(): number;
}

export function createDraft(random: Random): Draft {
  let count = 0;
  return {
    random,
    indices: new Map(),
    aliases: new Map(),
    isDirty: false,
    next: () => (count += 1),
  };
}

export const indexNames = ["books", "films", "logs-1", "logs-2", "songs"] as const;
export const aliasNames = ["library", "all-logs"] as const;

export function openIndices({ indices }: Draft): readonly DraftIndex[] {
  return [...indices.values()].filter(({ isOpen }) => isOpen);
}

/** Mostly one that is there. */
export function anyIndex(draft: Draft): DraftIndex | undefined {
  const { random, indices } = draft;
  const open = openIndices(draft);
  if (open.length > 0 && random.int(1, 12) > 1) return random.pick(open);
  return indices.get(random.pick(indexNames));
}

/** A write to a name that no index has makes one. */
export function writtenIndex(draft: Draft): DraftIndex {
  const { random, indices } = draft;
  const name = anyIndex(draft)?.name ?? random.pick(indexNames);
  const known = indices.get(name);
  if (known !== undefined) return known;
  // Its shards may be those of a template: automatic ids need one that is known.
  const made = { name, shards: Number.NaN, ids: [], isOpen: true, hasRemovals: false };
  indices.set(name, made);
  return made;
}

export function newIndex(name: string, shards: number): DraftIndex {
  return { name, shards, ids: [], isOpen: true, hasRemovals: false };
}

export function knownId(draft: Draft, index: DraftIndex): string {
  const { random } = draft;
  return index.ids.length > 0 && random.int(1, 10) > 1 ? random.pick(index.ids) : "none";
}

const WORDS = ["quick", "brown", "fox", "lazy", "dog", "clock", "universe", "the"] as const;

export function drawText(random: Random): string {
  return Array.from({ length: random.int(1, 6) }, () => random.pick(WORDS)).join(" ");
}

/** Numbers with a fraction are exact in binary: sums do not depend on their order. */
export function drawDocument(draft: Draft): JsonObject {
  const { random } = draft;
  const given: Record<string, Json> = { u: draft.next(), t: drawText(random) };
  if (random.int(1, 5) > 1) given["k"] = `k${random.int(0, 4)}`;
  if (random.int(1, 5) > 1) given["n"] = random.int(-5, 20);
  if (random.int(1, 3) > 1) given["f"] = random.int(0, 40) / 4;
  if (random.int(1, 3) > 1) given["d"] = `2024-0${random.int(1, 9)}-1${random.int(0, 9)}T12:00:00Z`;
  if (random.int(1, 4) === 1) given["b"] = random.int(0, 1) === 1;
  if (random.int(1, 4) === 1) given["tags"] = ["x", "y", "z"].slice(random.int(0, 2));
  if (random.int(1, 40) === 1) given["n"] = "no number";
  if (random.int(1, 12) === 1)
    setKey(given, `new${random.int(1, 3)}`, random.pick<Json>([1, "a", true]));
  return given;
}

export const properties: JsonObject = {
  u: { type: "long" },
  t: { type: "text" },
  k: { type: "keyword" },
  n: { type: "integer" },
  f: { type: "double" },
  d: { type: "date" },
  b: { type: "boolean" },
  tags: { type: "keyword" },
};
