/** What the parts of the repository work share, for one term of being the elected cluster manager. */
import type { ClusterState, DiscoveryNode, Settings, Task } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import type { Random } from "@orrery/stdx";
import type { ManagerRepositories } from "./repositories.ts";

export interface SnapshotDeps {
  readonly host: Host;
  readonly random: Random;
  readonly transport: Transport;
  readonly localNode: DiscoveryNode;
  readonly nodeSettings: Settings;
  readonly repositories: ManagerRepositories;
  readonly applied: () => ClusterState;
  /** Ends when it is committed and applied here. */
  readonly submit: (task: Task) => Promise<unknown>;
}
