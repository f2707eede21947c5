/** Content types of request bodies and formats of responses. Source: `MediaType`, `RestController`. */
import { illegalArgument, lookup, OperationError } from "@orrery/stdx";

/** Media types of bodies that are known. CBOR and SMILE are refused. */
export type MediaType = "json" | "ndjson" | "yaml" | "cbor" | "smile";

const TYPES: Readonly<Record<string, MediaType>> = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/yaml": "yaml",
  "application/cbor": "cbor",
  "application/smile": "smile",
  "application/vnd.opensearch+json": "json",
  "application/vnd.opensearch+x-ndjson": "ndjson",
  "application/vnd.opensearch+yaml": "yaml",
  "application/vnd.opensearch+cbor": "cbor",
  "application/vnd.opensearch+smile": "smile",
};

const TOKEN = /^[a-z0-9!#$%&'*+.^_`|~-]+\/[a-z0-9!#$%&'*+.^_`|~-]+\s*(;.*)?$/i;

/** Types by header, cached because clients repeat the same header; bounded. */
const known = new Map<string, MediaType>();
const MOST_KNOWN = 100;

/** The type that a header names; `undefined` for an unknown one. Throws for a header that is no media type. */
export function mediaTypeOf(header: string): MediaType | undefined {
  const before = known.get(header);
  if (before !== undefined) return before;
  const type = readMediaType(header);
  if (type !== undefined && known.size < MOST_KNOWN) known.set(header, type);
  return type;
}

function readMediaType(header: string): MediaType | undefined {
  if (!TOKEN.test(header.trim())) throw illegalArgument(`invalid Content-Type header [${header}]`);
  return lookup(TYPES, (header.split(";")[0] ?? "").trim().toLowerCase());
}

/**
 * The type of the request's body; `undefined` without a header or for an unknown type. Throws for several headers, and
 * for one that is no media type.
 */
export function contentTypeOf(
  header: string | readonly string[] | undefined,
): MediaType | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== "string" && header.length > 1) {
    throw contentTypeProblem("only one Content-Type header should be provided");
  }
  const value = typeof header === "string" ? header : (header[0] ?? "");
  if (value === "") return undefined;
  try {
    return mediaTypeOf(value);
  } catch {
    throw contentTypeProblem(`invalid Content-Type header [${value}]`);
  }
}

function contentTypeProblem(reason: string): OperationError {
  return new OperationError({
    type: "content_type_header_exception",
    reason: `java.lang.IllegalArgumentException: ${reason}`,
    status: 400,
    causedBy: { type: "illegal_argument_exception", reason, status: 400 },
  });
}

/** Formats that a request can name; CBOR and SMILE cannot be written. */
export type Format = "json" | "yaml" | "cbor" | "smile";

/** The format of a short name or media type; `undefined` for any other text, which the product ignores. */
export function formatOf(given: string | undefined): Format | undefined {
  if (given === undefined) return undefined;
  const name = given.trim().toLowerCase();
  if (name === "json" || name === "yaml" || name === "cbor" || name === "smile") return name;
  const type = lookup(TYPES, (name.split(";")[0] ?? "").trim());
  return type === "ndjson" ? "json" : type;
}
