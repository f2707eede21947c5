/**
 * The target of a request line: raw path, decoded path, query parameters. The last of repeated parameters wins.
 *
 * Escapes follow `RestUtils.decode`: two hex digits each, `%%` is a percent sign, and bytes that are no UTF-8 become
 * replacement characters. A truncated or non-hexadecimal escape is an error.
 */
import { OperationError, utf8Decode, type Problem } from "@orrery/stdx";

/** The parsed target of a request line. */
export interface Target {
  /** Path with valid UTF-8 escapes only; unchanged if an escape cannot be decoded at all. */
  readonly rawPath: string;
  /** Decoded path; equal to the raw path if it cannot be decoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const noParameters: ReadonlyMap<string, string> = new Map();

/** Parses a request target. Throws `illegal_argument_exception` for an invalid escape in the query string. */
export function parseUri(uri: string): Target {
  const mark = uri.indexOf("?");
  return {
    ...pathOf(mark < 0 ? uri : uri.slice(0, mark)),
    query: mark < 0 ? noParameters : parseQuery(uri.slice(mark + 1)),
  };
}

function pathOf(rawPath: string): { readonly rawPath: string; readonly path: string } {
  if (!rawPath.includes("%")) return { rawPath, path: rawPath };
  const path = tryDecode(rawPath);
  if (path !== undefined) return { rawPath, path };
  // The router reports a path that cannot be decoded.
  if (wrongEscape(rawPath) !== undefined) return { rawPath, path: rawPath };
  const sound = soundEscapes(rawPath);
  return { rawPath: sound, path: decodeURIComponent(sound) };
}

function parseQuery(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split(/[&;]/)) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = component(equals < 0 ? part : part.slice(0, equals));
    parameters.set(name, equals < 0 ? "" : component(part.slice(equals + 1)));
  }
  return parameters;
}

function component(text: string): string {
  if (!/[%+]/.test(text)) return text;
  const spaced = text.replaceAll("+", " ");
  const decoded = tryDecode(spaced);
  if (decoded !== undefined) return decoded;
  const wrong = wrongEscape(text);
  if (wrong !== undefined) throw badParameter(wrong);
  return decodeURIComponent(soundEscapes(spaced));
}

function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Error message for the first escape that cannot be decoded; `undefined` when all can. */
function wrongEscape(text: string): string | undefined {
  for (const { 0: escape, index } of text.matchAll(/%(?:%|[^]{0,2})/g)) {
    if (escape === "%") return `unterminated escape sequence at end of string: ${text}`;
    if (escape === "%%" || /^%[\da-f]{2}$/i.test(escape)) continue;
    if (escape.length === 2) return `partial escape sequence at end of string: ${text}`;
    return `invalid escape sequence \`${escape}' at index ${index} of: ${text}`;
  }
  return undefined;
}

/** Replaces escapes of bytes that are no UTF-8 by escapes of replacement characters. All escapes must be well-formed. */
function soundEscapes(text: string): string {
  return text.replaceAll(/%%|(?:%[\da-f]{2})+/gi, (escapes) =>
    escapes === "%%" ? "%25" : encodeURIComponent(utf8Decode(bytesOf(escapes))),
  );
}

/** A lone surrogate, encoded in part or whole, is one replacement character in Java, but several in JavaScript. */
const SURROGATE = /%ed%[ab][\da-f](?:%[89ab][\da-f])?/gi;

function bytesOf(escapes: string): Uint8Array {
  const hex = escapes.replaceAll(SURROGATE, "%ef%bf%bd").slice(1).split("%");
  return Uint8Array.from(hex, (digits) => Number.parseInt(digits, 16));
}

function badParameter(reason: string): OperationError {
  const causedBy: Problem = { type: "illegal_argument_exception", reason, status: 400 };
  return new OperationError({
    type: "bad_parameter_exception",
    reason: `java.lang.IllegalArgumentException: ${reason}`,
    status: 400,
    causedBy,
  });
}
