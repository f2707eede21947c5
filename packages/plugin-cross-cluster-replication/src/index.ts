/** Cross-cluster replication: indices that replicate indices of another cluster. */
export { crossClusterReplication } from "./plugin.ts";
