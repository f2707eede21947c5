/** The body of a search, as it came: of one shard's request, or of all that came for several shards together. It is parsed once. */
import { parseJson } from "@orrery/query";
import { bytesEqual, isJsonObject, type JsonObject } from "@orrery/stdx";

export class SearchBody {
  private readonly received: Uint8Array;
  private own: Uint8Array | undefined;
  private parsed: JsonObject | undefined;

  constructor(received: Uint8Array) {
    this.received = received;
  }

  /** Carries its parsed request; see `searchRequestOf`. */
  get json(): JsonObject {
    return (this.parsed ??= bodyOf(this.received));
  }

  isSame(bytes: Uint8Array): boolean {
    return bytesEqual(this.received, bytes);
  }

  /** Apart from the frame, which is not kept for them. */
  get bytes(): Uint8Array {
    return (this.own ??= this.received.slice());
  }
}

export function bodyOf(bytes: Uint8Array): JsonObject {
  if (bytes.length === 0) return {};
  const body = parseJson(bytes);
  return isJsonObject(body) ? body : {};
}
