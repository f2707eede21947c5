/** Nodes that only remember what was done to them. */
import type { ActiveRule } from "@orrery/faults";
import type { ManagedNode, NodeStatus } from "../src/managed-node.ts";
import { UsageError } from "../src/usage.ts";

export interface FakeNode extends ManagedNode {
  readonly done: readonly string[];
  readonly rules: readonly ActiveRule[];
  /** A rule took effect. */
  hit(id: string): void;
}

export function fakeNode(name: string): FakeNode {
  const done: string[] = [];
  const hits = new Map<string, number>();
  let rules: readonly ActiveRule[] = [];
  let status: NodeStatus = "up";
  const turn = (what: string, next: NodeStatus): void => {
    done.push(what);
    status = next;
  };
  return {
    plan: { name, transport: "memory", httpPort: 1, transportPort: undefined, settings: {} },
    pid: 1,
    done,
    get status() {
      return status;
    },
    get isServing() {
      return status === "up";
    },
    get rules() {
      return rules;
    },
    hit: (id) => void hits.set(id, (hits.get(id) ?? 0) + 1),
    start: async () => turn("start", "up"),
    stop: async () => turn("stop", "down"),
    kill: async () => turn("kill", "down"),
    faults: {
      pause: async () => turn("pause", "paused"),
      resume: async () => {
        if (status === "paused") turn("resume", "up");
      },
      setRules: async (next) => {
        rules = next;
      },
      hits,
      powerOff: async (unsynced) => turn(`power off, ${unsynced}`, "down"),
      view: async () => undefined,
      wipe: async () => turn("wipe", "down"),
    },
  };
}

/** One that cannot start. */
export function brokenNode(name: string): FakeNode {
  return {
    ...fakeNode(name),
    status: "down",
    start: async () => {
      throw new UsageError(`${name}: its disk is gone`);
    },
  };
}
