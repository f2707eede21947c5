/** A cluster that `orrery up` runs, whichever way: its nodes can be stopped, started and killed by number, others can come. */
import { rolesOf, type ManagedNode } from "./managed-node.ts";
import type { NodePlan } from "./cluster-plan.ts";
import { UsageError } from "./usage.ts";

export interface RunningCluster {
  readonly nodes: readonly RunningNode[];
  /** By number, counted from 1: no other node ever has the number of one that was removed. */
  readonly members: ReadonlyMap<number, ManagedNode>;
  /** The number that the next node will have. */
  readonly nextNumber: number;
  /** Ends when every node is there and every shard copy where it should be; rejects with `UsageError` when a node cannot start. */
  readonly green: Promise<void>;
  /** Counted from 1. */
  stopNode(number: number): Promise<void>;
  startNode(number: number): Promise<void>;
  killNode(number: number): Promise<void>;
  /** One more, which is not started; from `nextNumber` on. */
  add(number: number, member: ManagedNode): void;
  /** The node, which is down, is not started any more. */
  remove(name: string): void;
  /** Stops all of it. */
  stop(): Promise<void>;
}

export interface RunningNode {
  readonly plan: NodePlan;
  readonly pid: number;
  readonly roles: readonly string[];
}

/** Starts these nodes at once. */
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

/** It runs, and may still join. */
export class NotJoinedError extends UsageError {}

/** How long the start of one node may take to be answered: without a quorum it cannot join, however long one waits. */
const JOIN_PATIENCE_MS = 15_000;

/** What the promise ends with, if it does so in time. */
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
