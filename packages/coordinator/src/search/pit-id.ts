/** The point-in-time id: for each shard its node and context, and the filters of aliases. Source: `SearchContextId`. */
import {
  createByteWriter,
  illegalArgument,
  isJsonObject,
  utf8Encode,
  type IndexUuid,
  type JsonObject,
  type NodeId,
} from "@orrery/stdx";
import { jsonText, parseJson } from "@orrery/query";
import {
  bytesOfId,
  idOf,
  idReader,
  longBytes,
  readId,
  splitContextId,
  type IdReader,
} from "./id-bytes.ts";

/** One shard of a point in time, and the context that holds its reader open. */
export interface PitShard {
  readonly index: string;
  readonly indexUuid: IndexUuid;
  readonly shard: number;
  readonly nodeId: NodeId;
  readonly contextId: string;
}

/** A point in time as its decoded id describes it. */
export interface PitId {
  readonly shards: readonly PitShard[];
  /** Filters of aliases, by index uuid. */
  readonly filters: ReadonlyMap<string, PitFilter>;
}

/** Aliases by which an index was named, and their combined filter; `undefined`: all documents. */
export interface PitFilter {
  readonly aliases: readonly string[];
  readonly filter: JsonObject | undefined;
}

/** Version 3.8.0 in the product's encoding. */
const VERSION = Uint8Array.of(0xa3, 0xff, 0xbb, 0x41);

/** Encodes a point in time in the product's format, without a cluster alias. */
export function encodePitId({ shards, filters }: PitId): string {
  const writer = createByteWriter(256);
  writer.raw(VERSION);
  writer.varint(shards.length);
  for (const { index, indexUuid, shard, nodeId, contextId } of shards) {
    const [session, number] = splitContextId(contextId);
    writer.text(index);
    writer.text(indexUuid);
    writer.varint(shard);
    writer.text(nodeId);
    // The absent cluster alias: this cluster.
    writer.byte(0);
    writer.raw(longBytes(number));
    writer.text(session);
  }
  writer.varint(filters.size);
  for (const [indexUuid, { aliases, filter }] of filters) {
    writer.text(indexUuid);
    writer.varint(aliases.length);
    for (const alias of aliases) writer.text(alias);
    writer.byte(filter === undefined ? 0 : 1);
    if (filter !== undefined) writer.text(jsonText(filter));
  }
  return idOf(writer.finish());
}

/** Decodes an id. Throws `OperationError` for a malformed one. */
export function decodePitId(id: string): PitId {
  return readId(`invalid id: [${id}]`, () => {
    const reader = idReader(
      bytesOfId(id),
      (wanted, left) => `tried to read: ${wanted} bytes but only ${left} remaining`,
    );
    reader.varint();
    const shards = reader.list(() => readShard(reader));
    const filters = new Map(
      reader.list(() => {
        const uuid = reader.text();
        const aliases = reader.list(() => reader.text());
        return [uuid, { aliases, filter: reader.byte() === 0 ? undefined : readFilter(reader) }];
      }),
    );
    if (reader.left > 0) throw illegalArgument("Not all bytes were read");
    return { shards, filters };
  });
}

function readShard(reader: IdReader): PitShard {
  const index = reader.text();
  const indexUuid = reader.text() as IndexUuid;
  const shard = reader.varint();
  const nodeId = reader.text() as NodeId;
  if (reader.byte() !== 0) reader.text();
  const number = reader.long();
  return { index, indexUuid, shard, nodeId, contextId: `${reader.text()}:${number}` };
}

function readFilter(reader: IdReader): JsonObject | undefined {
  const json = parseJson(utf8Encode(reader.text()));
  return isJsonObject(json) ? json : undefined;
}
