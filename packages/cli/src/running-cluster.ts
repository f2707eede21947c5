/**
 * Cluster of `orrery up`, in one process or several: its nodes can be stopped, started and killed by number, and others
 * added.
 */
import { rolesOf, type ManagedNode } from "./managed-node.ts";
import type { NodePlan } from "./cluster-plan.ts";
import { UsageError } from "./usage.ts";

export interface RunningCluster {
  readonly nodes: readonly RunningNode[];
  /** Nodes by number, from 1; the number of a removed node is never used again. */
  readonly members: ReadonlyMap<number, ManagedNode>;
  /** Number of the next added node. */
  readonly nextNumber: number;
  /**
   * Resolves when every node has joined and every shard copy is started; rejects with `UsageError` if a node cannot
   * start.
   */
  readonly green: Promise<void>;
  /** Stops the node with this number, from 1. */
  stopNode(number: number): Promise<void>;
  startNode(number: number): Promise<void>;
  killNode(number: number): Promise<void>;
  /** Adds a node with the number `nextNumber`, without starting it. */
  add(number: number, member: ManagedNode): void;
  /** Removes a node, which must be down. */
  remove(name: string): void;
  /** Stops all nodes. */
  stop(): Promise<void>;
}

export interface RunningNode {
  readonly plan: NodePlan;
  readonly pid: number;
  readonly roles: readonly string[];
}

/**
 * Starts the cluster of these nodes, which get the numbers from 1 on. Returns at once; see `green` for the end of the
 * start.
 */
export function startCluster(first: readonly ManagedNode[]): RunningCluster {
  const members = new Map(first.map((member, i) => [i + 1, member]));
  let nextNumber = first.length + 1;
  const green = Promise.all(first.map((member) => member.start("green"))).then(() => undefined);
  const memberOf = (number: number): ManagedNode => {
    const member = members.get(number);
    if (member === undefined) throw new UsageError(`there is no node [${number}]`);
    return member;
  };
  return {
    get nodes() {
      return [...members.values()].map(({ plan, pid }) => ({ plan, pid, roles: rolesOf(plan) }));
    },
    members,
    get nextNumber() {
      return nextNumber;
    },
    green,
    stopNode: (number) => memberOf(number).stop(),
    killNode: (number) => memberOf(number).kill(),
    startNode: async (number) => {
      const member = memberOf(number);
      if (member.status === "down") await withPatience(member.start("joined"), member.plan);
    },
    add: (number, member) => {
      members.set(number, member);
      nextNumber = Math.max(nextNumber, number + 1);
    },
    remove: (name) => {
      for (const [number, { plan }] of members) if (plan.name === name) members.delete(number);
    },
    stop: async () => {
      await Promise.all([...members.values()].map((member) => member.stop()));
    },
  };
}

/** Error of a node that has not joined in time. The node keeps running, and may join later. */
export class NotJoinedError extends UsageError {}

/** Time for a started node to join: without a quorum it cannot join at all. */
const JOIN_PATIENCE_MS = 15_000;

/** Settles as the promise does; rejects with `NotJoinedError` after the time limit. */
async function withPatience(joined: Promise<void>, plan: NodePlan): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = JOIN_PATIENCE_MS / 1000;
      reject(
        new NotJoinedError(`${plan.name} runs and has not joined a cluster within ${seconds} s`),
      );
    }, JOIN_PATIENCE_MS);
  });
  try {
    await Promise.race([joined, patience]);
  } finally {
    clearTimeout(timer);
  }
}
