/** Requests of a shard worker to a shard of another cluster, through its node, which has the connections. */
import type { ShardCopy } from "@orrery/shard-worker";
import { actions } from "../actions.ts";
import { RemoteRequest, RemoteShardRequest } from "../messages.ts";

/** Address of a shard of an index in another cluster. */
export interface RemoteShard {
  readonly alias: string;
  readonly index: string;
  readonly shard: number;
  /** Node of an open session; `undefined`: that of the primary. */
  readonly nodeId?: string;
}

/** Sends a request and returns the response. Rejects with the problem of either cluster. */
export async function askRemoteShard(
  worker: ShardCopy["worker"],
  action: string,
  { alias, index, shard, nodeId = "" }: RemoteShard,
  body: Uint8Array,
): Promise<Uint8Array> {
  const timeoutMs = TIMEOUT_MS;
  const payload = RemoteShardRequest.encode({ index, shard, nodeId, body, timeoutMs }).finish();
  const request = RemoteRequest.encode({ alias, action, payload, timeoutMs }).finish();
  return worker.endpoint.request(worker.nodeId, actions.remote, request, { channel: "recovery" });
}

const TIMEOUT_MS = 60_000;
