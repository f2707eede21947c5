/** `cluster.remote_info`: remote clusters. None can be configured yet, so there are none to tell of. */
import { defineOperation, type Operation } from "../../operation.ts";

export const clusterRemoteInfo: Operation = defineOperation({
  group: "cluster.remote_info",
  routes: ["GET /_remote/info"],
  query: {},
  deviations: [
    { kind: "behaviour", name: "entries", reason: "remote clusters are not supported yet" },
  ],
  handle: () => ({ body: {} }),
});
