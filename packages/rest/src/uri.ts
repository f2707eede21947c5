/** The request line's target: raw path, decoded path, query parameters. The last of repeated parameters wins. */
import { illegalArgument } from "@orrery/stdx";

export interface Target {
  readonly rawPath: string;
  /** Decoded where it can be. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
}

const noParameters: ReadonlyMap<string, string> = new Map();

export function parseUri(uri: string): Target {
  const mark = uri.indexOf("?");
  const rawPath = mark < 0 ? uri : uri.slice(0, mark);
  return {
    rawPath,
    path: decoded(rawPath),
    query: mark < 0 ? noParameters : parseQuery(uri.slice(mark + 1)),
  };
}

function decoded(rawPath: string): string {
  if (!rawPath.includes("%")) return rawPath;
  try {
    return decodeURIComponent(rawPath);
  } catch {
    // The look-up answers for a path that cannot be decoded.
    return rawPath;
  }
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
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw illegalArgument(`unable to decode query parameter [${text}]`);
  }
}
