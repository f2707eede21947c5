/** Ports of snapshots, deletions and restores, for one term of the elected cluster manager. */
import type { ClusterState, DiscoveryNode, Settings, Task, Rules } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { ManagerRepositories } from "./repositories.ts";

/** The ports; they end with the term, after which `submit` rejects. */
export interface SnapshotDeps {
  readonly host: Host;
  readonly random: Random;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly nodeSettings: Settings;
  readonly rules: Rules;
  readonly repositories: ManagerRepositories;
  readonly applied: () => ClusterState;
  /** Proposes a task; resolves when it is committed and applied here, rejects when a reducer rejects it. */
  readonly submit: (task: Task) => Promise<unknown>;
  /** INV-SNAP-9: `submit` under an id; resolves at once when a task was applied under that id, in this term or before. */
  readonly submitOnce: (id: string, task: Task) => Promise<unknown>;
  /** Whether a task was applied under the id, in this term or before. */
  readonly wasApplied: (id: string) => boolean;
}
