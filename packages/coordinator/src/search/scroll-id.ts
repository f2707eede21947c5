/**
 * The scroll id: the contexts of a scroll, each with its node. Source: `TransportSearchHelper.buildScrollId`; ours
 * adds the shard, by which a node finds the worker that holds the context.
 */
import { createByteWriter, illegalArgument, type IndexUuid, type NodeId } from "@orrery/stdx";
import { bytesOfId, idOf, idReader, longBytes, readId, splitContextId } from "./id-bytes.ts";

/** Address of one context of a scroll. */
export interface ScrollContext {
  readonly nodeId: NodeId;
  readonly contextId: string;
  readonly indexUuid: IndexUuid;
  readonly shard: number;
}

/** A scroll as its decoded id describes it: its contexts, and the index expressions of its search. */
export interface ScrollId {
  readonly contexts: readonly ScrollContext[];
  readonly indices: readonly string[];
}

const MARK = "include_context_uuid";
/** Type of the id: many shards with separate fetches, or one shard that fetches with its query. */
const TYPES = ["queryThenFetch", "queryAndFetch"] as const;

/** Encodes a scroll; `shardCount` is the number of shards queried for the first page, which selects the id's type. */
export function encodeScrollId({ contexts, indices }: ScrollId, shardCount: number): string {
  const writer = createByteWriter(256);
  writer.text(MARK);
  writer.text(shardCount === 1 ? TYPES[1] : TYPES[0]);
  writer.varint(contexts.length);
  for (const { nodeId, contextId } of contexts) {
    const [session, number] = splitContextId(contextId);
    writer.text(session);
    writer.raw(longBytes(number));
    writer.text(nodeId);
  }
  writer.byte(1);
  writer.varint(indices.length);
  for (const index of indices) writer.text(index);
  for (const { indexUuid, shard } of contexts) {
    writer.text(indexUuid);
    writer.varint(shard);
  }
  return idOf(writer.finish());
}

/** Decodes an id. Throws `OperationError` for a malformed one. */
export function decodeScrollId(id: string): ScrollId {
  return readId("Cannot parse scroll id", () => {
    const reader = idReader(
      bytesOfId(id),
      (wanted, left) => `attempting to read ${wanted} bytes but only ${left} bytes are available`,
    );
    const first = reader.text();
    const hasSession = first === MARK;
    const type = hasSession ? reader.text() : first;
    if (!TYPES.some((known) => known === type))
      throw illegalArgument(`Scroll id type [${type}] unrecognized`);
    const named = reader.list(() => {
      const session = hasSession ? reader.text() : "";
      const number = reader.long();
      return { contextId: `${session}:${number}`, nodeId: reader.text() as NodeId };
    });
    const hasIndices = reader.left > 0 && reader.byte() === 1;
    const indices = hasIndices ? reader.list(() => reader.text()) : [];
    const hasShards = reader.left > 0;
    const contexts = named.map((context) => ({
      ...context,
      indexUuid: (hasShards ? reader.text() : "") as IndexUuid,
      shard: hasShards ? reader.varint() : 0,
    }));
    if (reader.left > 0) throw parseFailed("Not all bytes were read");
    return { contexts, indices };
  });
}

function parseFailed(reason: string): Error {
  const cause = { type: "illegal_argument_exception", reason, status: 400 };
  return illegalArgument("Cannot parse scroll id", cause);
}
