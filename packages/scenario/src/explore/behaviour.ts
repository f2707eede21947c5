/**
 * Behaviour of a run as a set of texts that other runs may share. They name roles, never node names, ids or times: the
 * number of occurrences of an event, as a power of two; pairs of consecutive events on a node of a role; events on a
 * role during each active kind of fault.
 */
import type { RecordedEvent } from "../world.ts";

export interface Behaviour {
  hear(event: RecordedEvent): void;
  /** Distinct behaviours of the run. */
  tuples(): readonly string[];
  /** Last three events except traffic, oldest first. */
  last(): readonly string[];
}

type Of<Kind extends RecordedEvent["kind"]> = Extract<RecordedEvent, { readonly kind: Kind }>;

/** Collector of a run's behaviour, fed with its events. */
export function createBehaviour(): Behaviour {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  const newest: string[] = [];
  const lastOn = new Map<string, string>();
  const faults = new Map<string, number>();
  const managers = new Set<string>();
  /** Allocation ids of primaries by shard, and the versions of the state that reported them. */
  const primaries = new Map<string, string>();
  const versions = new Map<string, number>();
  const requests = new Map<string, string>();

  const count = (label: string): void => void counts.set(label, (counts.get(label) ?? 0) + 1);

  const roleOf = (event: RecordedEvent): string => {
    const manager = managers.has(event.node) ? "manager" : "node";
    if (!("allocationId" in event)) return manager;
    const isPrimary = primaries.get(`${event.index}/${event.shard}`) === event.allocationId;
    return `${manager} ${isPrimary ? "primary" : "replica"}`;
  };

  const news = (event: RecordedEvent, label: string): void => {
    const role = roleOf(event);
    count(`${role}: ${label}`);
    seen.add(`${role}: ${lastOn.get(event.node) ?? "-"} > ${label}`);
    lastOn.set(event.node, label);
    for (const [fault, lasting] of faults)
      if (lasting > 0) seen.add(`during ${fault}, ${role}: ${label}`);
    newest.push(`${role} ${label}`);
    if (newest.length > 3) newest.shift();
  };

  const noteCopies = (event: Of<"shard-copies-changed">): string | undefined => {
    const key = `${event.index}/${event.shard}`;
    // Every node reports each version; the first report counts.
    if (event.version <= (versions.get(key) ?? -1)) return undefined;
    versions.set(key, event.version);
    const had = primaries.get(key) ?? "";
    if (event.primary !== "") primaries.set(key, event.primary);
    const change = event.primary === had ? "same" : event.primary === "" ? "no" : "another";
    const how = event.isRelocated ? " relocated" : event.recoverySource.toLowerCase();
    return `${change} primary ${how}, ${sizeOf(event.active)} of ${sizeOf(event.inSync)} active`;
  };

  return {
    hear: (event) => {
      switch (event.kind) {
        case "message-sent":
          return count(`sent ${event.action}`);
        case "message-dropped":
          return count(`dropped ${event.action} ${templateOf(event.reason)}`);
        case "message-delivered":
        case "timer-fired":
        case "disk-synced":
        case "log-entry-saved":
        case "log-entry-applied":
        case "connection-opened":
        case "cluster-state-applied":
        case "fault-receipt":
          return count(event.kind);
        case "connection-closed":
          return count(`closed ${templateOf(event.reason)}`);
        case "cluster-manager-elected":
          news(event, "elected");
          managers.add(event.node);
          return undefined;
        case "cluster-manager-stepped-down":
          news(event, "stepped down");
          managers.delete(event.node);
          return undefined;
        case "node-crashed":
        case "node-stopped":
          news(event, event.kind);
          managers.delete(event.node);
          return undefined;
        case "shard-copies-changed": {
          const label = noteCopies(event);
          if (label !== undefined) news(event, label);
          return undefined;
        }
        case "fault-started":
        case "fault-ended": {
          const change = event.kind === "fault-started" ? 1 : -1;
          faults.set(event.fault, (faults.get(event.fault) ?? 0) + change);
          return news(event, `${event.kind} ${event.fault}`);
        }
        case "client-request":
          requests.set(`${event.client}/${event.id}`, requestOf(event.operation));
          return undefined;
        case "client-response": {
          const key = `${event.client}/${event.id}`;
          const asked = requests.get(key) ?? "";
          requests.delete(key);
          count(`answer ${asked} ${event.status}`);
          for (const [fault, lasting] of faults)
            if (lasting > 0) seen.add(`during ${fault}, answer ${asked} ${event.status}`);
          return undefined;
        }
        default:
          return news(event, labelOf(event).trimEnd());
      }
    },
    tuples: () => [
      ...seen,
      ...[...counts].map(([label, times]) => `${label} x${2 ** Math.floor(Math.log2(times))}`),
    ],
    last: () => newest,
  };
}

function labelOf(event: RecordedEvent): string {
  switch (event.kind) {
    case "log":
      return `log ${templateOf(event.message)}`;
    case "copy-let-in":
      return `let in ${lagOf(event.globalCheckpoint - event.localCheckpoint)}, checkpoint ${lagOf(event.globalCheckpoint + 1)}`;
    case "history-trimmed":
      return `history trimmed, lease ${event.leasedFrom < 0 ? "none" : lagOf(event.retainedFrom - event.leasedFrom)}`;
    case "shard-state-changed":
      return `copy ${event.state} ${templateOf(event.reason ?? "")}`;
    case "shard-recovered":
      return `recovered ${event.mode}`;
    case "snapshot-state-changed":
      return `${event.operation} ${event.shard === undefined ? "" : "shard "}${event.state} ${templateOf(event.reason ?? "")}`;
    case "decommission-status-changed":
      return `decommission ${event.status}`;
    case "retention-lease-changed":
      return `lease ${event.change}`;
    case "remote-replication-changed":
      return `following ${event.state} ${templateOf(event.reason)}`;
    case "remote-replication-checkpoint":
      return `following behind by ${lagOf(event.remoteCheckpoint - event.checkpoint)}`;
    case "disk-failed":
    case "blob-failed":
      return `${event.kind} ${templateOf(event.reason)}`;
    case "step-ended":
      return `step ${requestOf(event.step)} ${event.outcome}`;
    case "step-started":
      return `step ${requestOf(event.step)}`;
    default:
      return event.kind;
  }
}

/** Class of a difference: `ahead` if negative, 0, 1 or many. */
function lagOf(difference: number): string {
  if (difference < 0) return "ahead";
  return difference < 2 ? String(difference) : "many";
}

function sizeOf(ids: string): number {
  return ids === "" ? 0 : ids.split(",").length;
}

const LONGEST_TEMPLATE = 80;

/** Text without names of nodes and indices and without numbers. */
export function templateOf(text: string): string {
  const plain = text.replaceAll(/\[[^\]]*\]/g, "[]").replaceAll(/\S*\d\S*/g, "#");
  return plain.slice(0, LONGEST_TEMPLATE).trim();
}

/** Operation without names of indices, snapshots, documents, and without parameters. */
function requestOf(operation: string): string {
  const [method = "", uri = ""] = operation.split(" ");
  const parts = (uri.split("?")[0] ?? "").split("/").filter((part) => part !== "");
  return `${method} /${parts.map((part) => (part.startsWith("_") ? part : "*")).join("/")}`;
}
