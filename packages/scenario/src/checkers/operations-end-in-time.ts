/**
 * INV-LIVE-1: a node that runs answers every request within the request's own time-out, whatever the rest of the cluster does: a write
 * waits no longer for its shard, a change of the cluster state no longer for a cluster manager and its acknowledgement.
 */
import { isWrite, type Operation } from "../history.ts";
import { parseDuration } from "@orrery/stdx";
import type { Checker, Finding } from "./checker.ts";
import { faultsOf } from "./faults-of.ts";

/** For what a node has to do besides waiting, and for the way of the bytes. */
const SLACK_MS = 10_000;
const WRITE_MS = 60_000;
const CHANGE_MS = 60_000;

export const operationsEndInTime: Checker = {
  name: "operations-end-in-time",
  invariant: "INV-LIVE-1",
  says: "A node that runs answers every request within the request's own time-out.",
  excusedBy: [],
  complaint: (plan) => {
    if (faultsOf(plan).some(({ kind }) => standing.has(kind))) return "a node may stand still";
    return plan.workload.length + plan.timeline.length === 0 ? "nobody asks anything" : undefined;
  },
  isAlways: true,
  finish: async (world, _plan, { operations }) => {
    if (world.name !== "sim") return undefined;
    for (const operation of operations) {
      const says = late(operation);
      if (says !== undefined) return says;
    }
    return undefined;
  },
};

const standing: ReadonlySet<string> = new Set([
  ...["pause", "slow-cpu", "disk-slow", "clock-skew", "clock-jump", "keep-alive-expiry"],
  ...["manager-overload", "lease-expiry", "repository-slow"],
]);

/** A client that was cut off before its time was up did not wait. */
function late(operation: Operation): Finding {
  const limitMs = limitOf(operation);
  if (limitMs === undefined) return undefined;
  const { client, request, node, invokedMs, returnedMs, gaveUpMs, timeoutMs = 0 } = operation;
  const waitedMs = (returnedMs ?? gaveUpMs ?? invokedMs) - invokedMs;
  if (waitedMs <= limitMs) return undefined;
  if (returnedMs === undefined && waitedMs < timeoutMs) return undefined;
  const how = returnedMs === undefined ? "was not answered within" : "was answered after";
  const what = operation.operation ?? `${operation.kind} of ${operation.document ?? "a document"}`;
  return `request ${request} of ${client} to ${node} at ${Math.round(invokedMs)} ms (${what}) ${how} ${Math.round(waitedMs)} ms, and its time-out is ${limitMs - SLACK_MS} ms`;
}

/** `undefined`: it may wait as long as it likes. */
function limitOf(operation: Operation): number | undefined {
  // The next refresh may never come: an index may have no interval.
  if (operation.refresh === "wait_for") return undefined;
  if (isWrite(operation)) return WRITE_MS + SLACK_MS;
  if (operation.kind !== "request") return undefined;
  const { operation: asked = "" } = operation;
  if (
    !/^(?:PUT|POST|DELETE) \/[^_/?][^/?]*(?:\/_(?:close|open|settings|mapping))?(?:\?|$)/.test(
      asked,
    )
  )
    return undefined;
  const own = (name: string): number | undefined => {
    const [, text] = new RegExp(`[?&]${name}=([^&]+)`).exec(asked) ?? [];
    return text === undefined ? undefined : parseDuration(text);
  };
  const manager = own("cluster_manager_timeout") ?? CHANGE_MS / 2;
  const acknowledgement = own("timeout") ?? CHANGE_MS / 2;
  return manager + acknowledgement + SLACK_MS;
}
