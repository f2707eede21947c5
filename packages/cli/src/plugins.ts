/** What every node of this program is made with: the one place that names plugins. */
import type { Plugin } from "@orrery/node";
import { crossClusterReplication } from "@orrery/plugin-cross-cluster-replication";

export const plugins: readonly Plugin[] = [crossClusterReplication];
