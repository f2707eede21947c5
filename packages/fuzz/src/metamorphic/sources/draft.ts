/**
 * Draft: the indices, documents and aliases that a drawn sequence has created so far, which later requests refer to.
 *
 * A draft is an estimate: it may count a rejected request as successful. Only facts that would make two correct answers
 * differ must be certain, and they follow from the requests alone: whether an index was written since its last refresh,
 * and whether documents were replaced or deleted.
 */
import { setKey, type Json, type JsonObject, type Random } from "@orrery/stdx";

export interface DraftIndex {
  readonly name: string;
  readonly shards: number;
  readonly ids: string[];
  isOpen: boolean;
  /** Deleted documents count in the term statistics until a merge, whose time is undetermined. */
  hasRemovals: boolean;
}

export interface Draft {
  readonly random: Random;
  readonly indices: Map<string, DraftIndex>;
  /** Aliases with their indices. */
  readonly aliases: Map<string, string>;
  /** Written since the last refresh: a search may or may not see the writes. */
  isDirty: boolean;
  /** Unique number: a last sort key without ties. */
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

/**
 * Draws an index, mostly an open one. Otherwise draws from all names: the index may then be closed, or be `undefined`
 * if no index has the name.
 */
export function anyIndex(draft: Draft): DraftIndex | undefined {
  const { random, indices } = draft;
  const open = openIndices(draft);
  if (open.length > 0 && random.int(1, 12) > 1) return random.pick(open);
  return indices.get(random.pick(indexNames));
}

/** Index of a write; a write creates a missing index. */
export function writtenIndex(draft: Draft): DraftIndex {
  const { random, indices } = draft;
  const name = anyIndex(draft)?.name ?? random.pick(indexNames);
  const known = indices.get(name);
  if (known !== undefined) return known;
  // A template may set its shards. Generated ids require a known number.
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

/** Draws a document. Fractions are exact in binary, so that sums do not depend on their order. */
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
