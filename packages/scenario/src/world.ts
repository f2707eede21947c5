/** What faults, workloads and checkers may do to a running cluster. */
import type { Simulation } from "@orrery/simulator";
import type { Json } from "@orrery/stdx";

export interface World {
  readonly simulation: Simulation;
  /** In the order they were planned. */
  readonly nodes: readonly string[];
  /** Nodes that run at the moment. */
  running(): readonly string[];
  /** The nodes a selector names now; empty when there is none such. */
  select(selector: NodeSelector): readonly string[];
  crash(node: string): void;
  /** Nothing happens when it is up. */
  start(node: string): void;
  /** A request of a client outside of the cluster. `undefined`: no answer came, and what became of it is unknown. */
  request(client: Client, node: string, request: ClientRequest): Promise<ClientAnswer | undefined>;
  sleep(ms: number): Promise<void>;
}

/** A node's name, or what it is at the moment. */
export type NodeSelector = string;
export const electedClusterManager = "elected-cluster-manager";
export const anyNode = "any";
export const anyOtherNode = "any-but-elected-cluster-manager";

/** Names of a cluster of so many nodes. */
export function nodeNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `node-${i + 1}`);
}

export interface Client {
  readonly name: string;
  /** Numbers this client's requests. */
  next: number;
}

export interface ClientRequest {
  readonly method: string;
  readonly uri: string;
  readonly body?: string;
  readonly timeoutMs: number;
}

export interface ClientAnswer {
  readonly status: number;
  readonly body: Json;
}

export function newClient(name: string): Client {
  return { name, next: 1 };
}
