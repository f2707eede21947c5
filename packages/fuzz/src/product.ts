/** Product under test: that of `orrery`, with all plugins, and the checkers that scenarios name. */
import { composeProduct, type Product } from "@orrery/node";
import { crossClusterReplication } from "@orrery/plugin-cross-cluster-replication";
import { crossClusterReplicationCheckers } from "@orrery/plugin-cross-cluster-replication/checkers";
import { composeCheckers, type Lab } from "@orrery/scenario";

export const product: Product = composeProduct([crossClusterReplication]);

export const lab: Required<Lab> = {
  product,
  checkers: composeCheckers(crossClusterReplicationCheckers),
};
