/**
 * The body of a search as received: of one shard's request, or shared by the requests of several shards, for which it
 * is parsed once.
 */
import { parseJson } from "@orrery/query";
import { bytesEqual, isJsonObject, type JsonObject } from "@orrery/stdx";

/** The body of a search, parsed on first use. */
export class SearchBody {
  private readonly received: Uint8Array;
  private own: Uint8Array | undefined;
  private parsed: JsonObject | undefined;

  constructor(received: Uint8Array) {
    this.received = received;
  }

  /** Carries its parsed request (`searchRequestOf`). */
  get json(): JsonObject {
    return (this.parsed ??= bodyOf(this.received));
  }

  isSame(bytes: Uint8Array): boolean {
    return bytesEqual(this.received, bytes);
  }

  /** A copy of the body: the frame that it arrived in is not kept. */
  get bytes(): Uint8Array {
    return (this.own ??= this.received.slice());
  }
}

/** Parses a body. An empty body, or one that is no object, gives an empty object. */
export function bodyOf(bytes: Uint8Array): JsonObject {
  if (bytes.length === 0) return {};
  const body = parseJson(bytes);
  return isJsonObject(body) ? body : {};
}
