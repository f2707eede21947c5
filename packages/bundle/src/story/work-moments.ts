/** Moments of long work, and of damage: steps of the plan, snapshots, zones, followed indices, leases, disks. */
import type { RecordedEvent } from "../types.ts";
import type { AddCandidate, Narrator } from "./moment.ts";
import { counted, secondsOf, shardName } from "./words.ts";

export function narrateWork(add: AddCandidate): Narrator {
  /** Last known state of each piece of work: every node reports each state. */
  const last = new Map<string, string>();
  const isNews = (key: string, state: string): boolean => {
    if (last.get(key) === state) return false;
    last.set(key, state);
    return true;
  };
  return {
    event: (event) => {
      const { node, at_ms: atMs } = event;
      switch (event.kind) {
        case "snapshot-state-changed": {
          const { operation, repository, snapshot, uuid, shard, state } = event;
          // An operation that leaves the cluster state has ended before.
          if (shard !== undefined || state === "REMOVED") return;
          if (!isNews(`${operation}/${uuid}`, state)) return;
          add({
            ...{ atMs, kind: "snapshot", weight: 74 },
            says: () => `the ${operation} of ${repository}/${snapshot} is ${state}`,
          });
          return;
        }
        case "decommission-status-changed": {
          const { attribute, value, status } = event;
          if (!isNews(`${attribute}/${value}`, status)) return;
          const says =
            status === "none"
              ? `${attribute} ${value} is recommissioned`
              : `the decommission of ${attribute} ${value} is ${status.replace("_", " ")}`;
          add({ atMs, kind: "zone", weight: 82, says: () => says });
          return;
        }
        case "dangling-index-imported": {
          const { index, indexUuid } = event;
          if (!isNews(`imported/${indexUuid}`, "")) return;
          add({
            ...{ atMs, kind: "index", weight: 82 },
            says: () => `the dangling index ${index} is imported`,
          });
          return;
        }
        case "remote-replication-changed": {
          const { index, state, reason } = event;
          if (!isNews(`following/${index}`, state)) return;
          const why = reason === "" ? "" : `: ${reason}`;
          add({
            ...{ atMs, kind: "following", weight: 72, nodes: [node] },
            says: () => `following of ${index} is ${state} on ${node}${why}`,
          });
          return;
        }
        case "retention-lease-changed":
          return tellLease(event, add);
        default:
          return tellDamage(event, add);
      }
    },
  };
}

function tellLease(
  event: Extract<RecordedEvent, { readonly kind: "retention-lease-changed" }>,
  add: AddCandidate,
): void {
  const { node, at_ms: atMs, index, shard, lease, change, retainingSeqNo } = event;
  if (change === "renewed") return;
  add({
    ...{ atMs, kind: "lease", weight: change === "expired" ? 70 : 30, key: `lease ${change}` },
    ...{ part: shardName(index, shard), nodes: [node], shards: [`${index}/${shard}`] },
    says: (shards) =>
      `the retention lease ${lease} on ${shards} is ${change}, from sequence number ${retainingSeqNo}`,
  });
}

function tellDamage(event: RecordedEvent, add: AddCandidate): void {
  const { node, at_ms: atMs } = event;
  switch (event.kind) {
    case "log-entry-quarantined": {
      const { index, reason } = event;
      add({
        ...{ atMs, kind: "damage", weight: 94, nodes: [node] },
        says: () => `${node} cannot apply the log entry ${index}: ${reason}`,
      });
      return;
    }
    case "disk-failed":
    case "blob-failed": {
      const { reason } = event;
      const of = event.kind === "disk-failed" ? "disk" : "repository";
      add({
        ...{ atMs, kind: "damage", weight: 58, key: `${node} ${of}`, part: event.path },
        nodes: [node],
        says: (_paths, count) =>
          `the ${of} of ${node} fails ${count === 1 ? "once" : counted(count, "time")}: ${reason}`,
      });
      return;
    }
    default:
  }
}

/** Moments of the plan's steps: requests of a script, starts and stops of nodes. */
export function narrateSteps(add: AddCandidate): Narrator {
  const begun = new Map<string, number[]>();
  return {
    event: (event) => {
      if (event.kind === "step-started") {
        const open = begun.get(event.step) ?? [];
        begun.set(event.step, open);
        open.push(event.at_ms);
      }
      if (event.kind !== "step-ended") return;
      const { step, outcome, at_ms: atMs } = event;
      const fromMs = begun.get(step)?.shift() ?? atMs;
      const isFailed = outcome === "failed";
      const took = atMs - fromMs >= 100 ? ` after ${secondsOf(atMs - fromMs)}` : "";
      add({
        ...{ atMs, kind: "step", weight: isFailed ? 93 : step.startsWith("GET ") ? 46 : 64 },
        says: () => `${step} ${isFailed ? "fails" : "succeeds"}${took}`,
      });
    },
  };
}
