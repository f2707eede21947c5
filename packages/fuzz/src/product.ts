/** What every node under test is made of: that of `orrery`, with all plugins. */
import { composeProduct, type Product } from "@orrery/node";
import { crossClusterReplication } from "@orrery/plugin-cross-cluster-replication";

export const product: Product = composeProduct([crossClusterReplication]);
