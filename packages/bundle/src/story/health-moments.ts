/** Moments of a cluster's health: indices that appear and disappear, copies that are missing and return. */
import type { ObservedCopy, ObservedState } from "../types.ts";
import type { AddCandidate, Narrator } from "./moment.ts";
import { listed, shardName } from "./words.ts";

type Health = "green" | "yellow" | "red";

interface Known {
  indices: ReadonlySet<string>;
  /** Indices that were complete once: a new index is incomplete for a moment, which is no news. */
  readonly complete: Set<string>;
  health: Health;
  hasBeenGreen: boolean;
}

export function narrateHealth(add: AddCandidate): Narrator {
  const clusters = new Map<string, Known>();
  return {
    state: (atMs, state) => {
      const known: Known = clusters.get(state.cluster) ?? {
        ...{ indices: new Set(), complete: new Set(), health: "green", hasBeenGreen: false },
      };
      clusters.set(state.cluster, known);
      tellIndices(atMs, state, known, add);
      tellHealth(atMs, state, known, add);
    },
  };
}

function isActive({ state }: ObservedCopy): boolean {
  return state === "STARTED" || state === "RELOCATING";
}

function tellIndices(atMs: number, state: ObservedState, known: Known, add: AddCandidate): void {
  const now = new Set(state.indices.keys());
  for (const index of now) {
    if (known.indices.has(index)) continue;
    add({
      ...{ atMs, kind: "index", weight: 32, key: "created", part: index },
      says: (indices, count) =>
        `the ${count === 1 ? "index" : "indices"} ${indices} ${count === 1 ? "is" : "are"} created`,
    });
  }
  for (const index of known.indices) {
    if (now.has(index)) continue;
    known.complete.delete(index);
    add({
      ...{ atMs, kind: "index", weight: 64, key: "deleted", part: index },
      says: (indices, count) =>
        `the ${count === 1 ? "index" : "indices"} ${indices} ${count === 1 ? "is" : "are"} gone`,
    });
  }
  known.indices = now;
}

function tellHealth(atMs: number, state: ObservedState, known: Known, add: AddCandidate): void {
  const { shards, cluster } = state;
  const missing = shards.filter((copy) => !isActive(copy));
  const incomplete = new Set(missing.map(({ index }) => index));
  for (const index of state.indices.keys()) if (!incomplete.has(index)) known.complete.add(index);
  const old = missing.filter(({ index }) => known.complete.has(index));
  const health: Health =
    old.length === 0 ? "green" : old.some(({ isPrimary }) => isPrimary) ? "red" : "yellow";
  const isFirst = !known.hasBeenGreen && missing.length === 0 && shards.length > 0;
  if (health === known.health && !isFirst) return;
  const isBetter = health === "yellow" && known.health === "red";
  known.health = health;
  const name = cluster === "" ? "" : `${cluster}: `;
  const shardsOf = (copies: readonly ObservedCopy[]): readonly string[] => [
    ...new Set(copies.map(({ index, shard }) => `${index}/${shard}`)),
  ];
  if (health === "green") {
    known.hasBeenGreen = true;
    const again = isFirst ? "" : " again";
    add({
      ...{ atMs, kind: "health", weight: isFirst ? 44 : 80 },
      says: () => `${name}every copy is started${again} (green)`,
    });
    return;
  }
  known.hasBeenGreen = true;
  const concerned = health === "red" ? old.filter(({ isPrimary }) => isPrimary) : old;
  const keys = shardsOf(concerned);
  const names = listed(
    keys.map((key) => shardName(key.slice(0, key.lastIndexOf("/")), Number(key.split("/").at(-1)))),
  );
  const missed =
    health === "red"
      ? `${names} ${keys.length === 1 ? "has" : "have"} no active primary`
      : `${old.length} of ${shards.length} copies ${old.length === 1 ? "is" : "are"} missing, of ${names}`;
  add({
    ...{ atMs, kind: "health", weight: health === "red" ? 83 : isBetter ? 54 : 60, shards: keys },
    says: () => `${name}${missed} (${health})`,
  });
}
