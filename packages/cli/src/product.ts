/** What every node of this program is made with: the one place that names plugins. */
import { composeProduct, type Product } from "@orrery/node";
import { crossClusterReplication } from "@orrery/plugin-cross-cluster-replication";

export const product: Product = composeProduct([crossClusterReplication]);
