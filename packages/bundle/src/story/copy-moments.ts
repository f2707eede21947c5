/** Moments of shard copies: primaries, recoveries and failures. */
import type { ObservedState, RecordedEvent } from "../types.ts";
import type { AddCandidate, Narrator } from "./moment.ts";
import { shardName } from "./words.ts";

type CopiesChanged = Extract<RecordedEvent, { readonly kind: "shard-copies-changed" }>;

/** Last known primary of a shard. */
interface Holder {
  readonly version: number;
  /** Node of the last active primary; empty before the first. */
  readonly node: string;
  readonly isActive: boolean;
}

export function narrateCopies(add: AddCandidate): Narrator {
  /** Nodes by allocation id. */
  const places = new Map<string, string>();
  const holders = new Map<string, Holder>();
  const learn = ({ shards }: ObservedState): void => {
    for (const { allocationId, node } of shards)
      if (allocationId !== undefined && node !== undefined) places.set(allocationId, node);
  };
  return {
    state: (_atMs, state) => learn(state),
    event: (event) => {
      const { node, at_ms: atMs } = event;
      switch (event.kind) {
        case "shard-state-changed": {
          const { index, shard, allocationId, state, reason } = event;
          places.set(allocationId, node);
          if (state !== "FAILED") return;
          add({
            ...{ atMs, kind: "damage", weight: 76, nodes: [node], shards: [`${index}/${shard}`] },
            says: () =>
              `the copy of ${shardName(index, shard)} on ${node} fails${reason === undefined ? "" : `: ${shortened(reason)}`}`,
          });
          return;
        }
        case "shard-recovered": {
          const { index, shard, mode } = event;
          // The first copy of a new index recovers nothing.
          if (mode === "EMPTY_STORE") return;
          add({
            ...{ atMs, kind: "recovery", weight: 52, key: `${node} ${mode}` },
            ...{ part: shardName(index, shard), nodes: [node], shards: [`${index}/${shard}`] },
            says: (shards, count) => `${node} recovers ${shards} ${sourceOf(mode, count)}`,
          });
          return;
        }
        case "shard-copies-changed":
          return primaryChanged(event, { places, holders, add });
        default:
      }
    },
  };
}

const LONGEST_REASON = 120;

function shortened(reason: string): string {
  const [line = ""] = reason.split("\n");
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}

/** Origin of a recovered copy's data, by recovery source. */
function sourceOf(mode: string, count: number): string {
  switch (mode) {
    case "PEER":
      return count === 1 ? "from its primary" : "from their primaries";
    case "EXISTING_STORE":
      return "from its own disk";
    case "SNAPSHOT":
      return "from a snapshot";
    default:
      return `(${mode.toLowerCase()})`;
  }
}

interface Known {
  readonly places: ReadonlyMap<string, string>;
  readonly holders: Map<string, Holder>;
  readonly add: AddCandidate;
}

function primaryChanged(event: CopiesChanged, { places, holders, add }: Known): void {
  const { index, indexUuid, shard, version, primary, primaryTerm, isRelocated } = event;
  const before = holders.get(`${indexUuid}/${shard}`);
  // Every node reports each version; the first report counts.
  if (before !== undefined && version <= before.version) return;
  const node = primary === "" ? "" : (places.get(primary) ?? "");
  const last = before?.node ?? "";
  const isActive = primary !== "";
  holders.set(`${indexUuid}/${shard}`, { version, node: node === "" ? last : node, isActive });
  const place = {
    ...{ atMs: event.at_ms, kind: "primary" as const, shards: [`${index}/${shard}`] },
    part: shardName(index, shard),
  };
  // The moments of health tell that a shard has no primary.
  if (!isActive || node === "" || (node === last && before?.isActive === true)) return;
  const holds = `${node} holds the primary of`;
  if (last === "" || node === last) {
    const [weight, again] = last === "" ? [34, ""] : [74, " again"];
    add({
      ...{ ...place, weight, key: `${holds}${again}`, nodes: [node] },
      says: (shards) => `${holds} ${shards}${again}`,
    });
    return;
  }
  const how = isRelocated ? `, moved from ${last}` : `, promoted after ${last}`;
  const weight = isRelocated ? 56 : 90;
  add({
    ...{ ...place, weight, key: `${holds} ${how} ${primaryTerm}`, nodes: [node, last] },
    says: (shards) => `${holds} ${shards}${how}, primary term ${primaryTerm}`,
  });
}
