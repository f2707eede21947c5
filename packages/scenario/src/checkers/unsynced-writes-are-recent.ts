/**
 * INV-DATA-6: with asynchronous durability a crash loses no operation acknowledged longer before it than
 * `index.translog.sync_interval`.
 */
import type { Operation } from "../history.ts";
import type { NewsEvent } from "../watchers.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";
import { unsyncedIndices } from "./durability.ts";
import { mayLoseData } from "./faults-of.ts";
import { findLost } from "./no-acknowledged-write-lost.ts";
import { nothingWritten } from "./nothing-written.ts";

/** Times at which nodes of each cluster crashed. */
const watches = new WeakMap<World, Map<string, number[]>>();

/** Time that a due sync may be late. */
const SLACK_MS = 1000;

export const unsyncedWritesAreRecent: Checker = {
  name: "unsynced-writes-are-recent",
  invariant: "INV-DATA-6",
  says: "With asynchronous durability a crash loses no write acknowledged longer ago than the sync interval.",
  excusedBy: ["copies"],
  isOfDocuments: true,
  complaint: (plan) => {
    if (!unsyncedIndices(plan).isAny) return "every index is synced before it acknowledges";
    return mayLoseData(plan) ? "the plan takes data away" : nothingWritten(plan);
  },
  isAlways: true,
  start: (world) => {
    const crashes = new Map<string, number[]>();
    watches.set(world, crashes);
    return (event: NewsEvent) => {
      if (event.kind !== "node-crashed") return undefined;
      const cluster = world.clusterOf(event.node);
      const times = crashes.get(cluster) ?? [];
      crashes.set(cluster, times);
      times.push(event.at_ms);
      return undefined;
    };
  },
  finish: async (world, plan, { operations }) => {
    const unsynced = unsyncedIndices(plan);
    const crashes = watches.get(world);
    // Without recorded events the times of crashes are unknown.
    if (crashes === undefined) return undefined;
    const intervalOf = ({ node, index }: Operation): number =>
      unsynced.msOf(`${world.clusterOf(node)}/${index ?? ""}`);
    const mayBeLost = (operation: Operation): boolean => {
      const { node, invokedMs, returnedMs = Infinity } = operation;
      const untilMs = returnedMs + intervalOf(operation) + SLACK_MS;
      const times = crashes.get(world.clusterOf(node)) ?? [];
      return times.some((atMs) => atMs >= invokedMs && atMs <= untilMs);
    };
    const written = operations.filter((operation) => intervalOf(operation) > 0);
    return findLost(world, plan, written, mayBeLost);
  },
};
