/** What the parts of the repository work share, for one term of being the elected cluster manager. */
import type { ClusterState, DiscoveryNode, Settings, Task, Rules } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { ManagerRepositories } from "./repositories.ts";

export interface SnapshotDeps {
  readonly host: Host;
  readonly random: Random;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly nodeSettings: Settings;
  readonly rules: Rules;
  readonly repositories: ManagerRepositories;
  readonly applied: () => ClusterState;
  /** Ends when it is committed and applied here. */
  readonly submit: (task: Task) => Promise<unknown>;
  /** INV-SNAP-9: the same at most once under this id, whichever cluster manager is asked: ends at once when it was applied before. */
  readonly submitOnce: (id: string, task: Task) => Promise<unknown>;
  /** A task of this id was applied, under this cluster manager or one before it. */
  readonly wasApplied: (id: string) => boolean;
}
