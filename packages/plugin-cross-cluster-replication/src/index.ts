/** Cross-cluster replication: indices of this cluster that follow indices of another. */
export { crossClusterReplication } from "./plugin.ts";
