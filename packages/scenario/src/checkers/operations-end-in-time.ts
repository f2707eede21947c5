/**
 * INV-LIVE-1: a running node answers every request within a time limit, whatever the rest of the cluster does: a write
 * waits no longer than its time-out for its shard, a change of the cluster state for a cluster manager and its
 * acknowledgement, and a read waits for an unresponsive node until that node is removed (`time-limits.ts`).
 *
 * Clients give up after seconds, a hang lasts for ever: so the checker looks at the requests that nodes have not
 * answered, not at the clients, and at the end waits until each open request is answered or late. Time during which
 * faults hold back frames or threads does not count.
 */
import type { Fault } from "../faults/fault.ts";
import type { Plan } from "../plan.ts";
import type { NewsEvent } from "../watchers.ts";
import type { Wait, World } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";
import { faultsOf } from "./faults-of.ts";
import { removalMs, timeLimitOf, type TimeLimit } from "./time-limits.ts";

/** Time that nodes need besides waiting, and that bytes travel. */
const SLACK_MS = 10_000;
const LOOK_EVERY_MS = 1000;

export const operationsEndInTime: Checker = {
  name: "operations-end-in-time",
  invariant: "INV-LIVE-1",
  says: "A running node answers every request, including reads, within the sum of the time-outs that the request may wait for.",
  excusedBy: [],
  complaint: (plan) => {
    if (faultsOf(plan).some(({ kind }) => standing.has(kind))) return "a node may stand still";
    return plan.workload.length + plan.timeline.length === 0 ? "nobody asks anything" : undefined;
  },
  isAlways: true,
  start: (world) => {
    const holds: Hold[] = [];
    holdsOf.set(world, holds);
    return (event) => noteHold(holds, event);
  },
  finish: async (world, plan) => {
    const limits = limitsOf(plan);
    const late = (wait: Wait): Finding => lateness(world, wait, limits(wait));
    for (;;) {
      const waits = world.waits?.() ?? [];
      for (const wait of waits) {
        const says = late(wait);
        if (says !== undefined) return says;
      }
      const open = waits.filter((wait) => wait.answeredMs === undefined);
      if (open.every((wait) => limits(wait) === undefined)) return undefined;
      await world.sleep(LOOK_EVERY_MS);
    }
  },
};

const standing: ReadonlySet<Fault["kind"]> = new Set<Fault["kind"]>([
  ...(["pause", "slow-cpu", "disk-slow", "clock-skew", "clock-jump", "keep-alive-expiry"] as const),
  ...(["manager-overload", "lease-expiry", "repository-slow"] as const),
]);

/** Faults that hold back frames, or a thread of a node, until they end. */
const holding: ReadonlySet<string> = new Set<Fault["kind"]>([
  ...(["partition", "partition-halves", "majority-ring", "bridge", "one-way"] as const),
  ...(["delay", "throttling", "thread-pause", "thread-slow"] as const),
]);

interface Hold {
  readonly description: string;
  readonly fromMs: number;
  toMs: number;
}

const holdsOf = new WeakMap<World, Hold[]>();

function noteHold(holds: Hold[], event: NewsEvent): undefined {
  if (event.kind !== "fault-started" && event.kind !== "fault-ended") return;
  const { kind, fault, description, at_ms: atMs } = event;
  if (!holding.has(fault)) return;
  if (kind === "fault-started") holds.push({ description, fromMs: atMs, toMs: Infinity });
  const ended = holds.find((hold) => hold.description === description && hold.toMs === Infinity);
  if (kind === "fault-ended" && ended !== undefined) ended.toMs = atMs;
}

/**
 * Limits of requests; none for a request whose answer, without a time-out of its own, may be lost on an intact
 * connection: where the plan drops such messages, or connections are half-open, which only keep-alive of the operating
 * system detects.
 */
function limitsOf(plan: Plan): (wait: Wait) => TimeLimit | undefined {
  const removedAfterMs = removalMs(plan);
  const dropped = faultsOf(plan).flatMap(droppedBy);
  const isDropped = (awaited: string): boolean =>
    dropped.some((action) => action.startsWith(awaited) || awaited.startsWith(action));
  return ({ operation }) => {
    const limit = timeLimitOf(operation, removedAfterMs);
    return limit?.awaits.some(isDropped) === true ? undefined : limit;
  };
}

/** Action prefixes of the messages that the fault drops. */
function droppedBy(fault: Fault): readonly string[] {
  if (fault.kind === "half-open") return [""];
  return fault.kind === "drop-messages"
    ? fault.actions.map((action) => action.replace(/\*$/, ""))
    : [];
}

function lateness(world: World, wait: Wait, limit: TimeLimit | undefined): string | undefined {
  if (limit === undefined) return undefined;
  const { client, request, node, operation, sentMs, answeredMs } = wait;
  const untilMs = answeredMs ?? world.nowMs();
  const waitedMs = Math.round(untilMs - sentMs - heldMs(holdsOf.get(world) ?? [], sentMs, untilMs));
  if (waitedMs <= limit.ms + SLACK_MS) return undefined;
  const how = answeredMs === undefined ? "was not answered within" : "was answered after";
  return `request ${request} of ${client} to ${node} at ${Math.round(sentMs)} ms (${operation}) ${how} ${waitedMs} ms, and its time limit is ${limit.ms} ms`;
}

/** Part of a time range that lies within holds; overlapping holds count once. */
function heldMs(holds: readonly Hold[], fromMs: number, untilMs: number): number {
  let sum = 0;
  let countedMs = fromMs;
  for (const hold of holds.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const startMs = Math.max(countedMs, hold.fromMs);
    const endMs = Math.min(untilMs, hold.toMs);
    if (endMs <= startMs) continue;
    sum += endMs - startMs;
    countedMs = endMs;
  }
  return sum;
}
