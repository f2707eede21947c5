/** A thread of a shard worker that is stuck for ever in any request that names the poison. */
import { runInThread } from "@orrery/host-node";
import { startShardWorker } from "@orrery/shard-worker";
import { decodeFrame } from "@orrery/ports";
import { utf8Decode } from "@orrery/stdx";

const POISON = "the poison";

runInThread((host) =>
  startShardWorker({
    ...host,
    onMessage: (receive) =>
      host.onMessage((message) => {
        const isRequest = message.kind === "frame" && decodeFrame(message.frame).kind === "request";
        while (isRequest && utf8Decode(message.frame).includes(POISON));
        receive(message);
      }),
  }),
);
