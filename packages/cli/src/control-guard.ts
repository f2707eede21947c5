/**
 * Guard of the control endpoint: only a local program with the token may use it, and no web page.
 *
 * A page in a local browser can reach the port under a name of its own that resolves to 127.0.0.1. Its requests carry
 * that name in `Host`, and `Origin` or `Sec-Fetch-Site`, which a page cannot omit.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isSameToken } from "./control-token.ts";

/** Request as the guard examines it, before its body is read. */
export interface Asked {
  readonly method: string;
  readonly verb: string;
  readonly headers: IncomingHttpHeaders;
  /** Header names and values as received: a name may occur twice. */
  readonly rawHeaders: readonly string[];
}

export interface Guarded {
  readonly port: number;
  readonly token: string;
}

/** Status and reason of a rejected request. */
export interface Refused {
  readonly status: number;
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Verbs that only read. */
const readers: ReadonlySet<string> = new Set(["status", "list"]);
const hosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Reason for rejecting the request; `undefined` if it is accepted. */
export function refusalOf(asked: Asked, { port, token }: Guarded): Refused | undefined {
  const { method, verb, headers, rawHeaders } = asked;
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const host = headers.host?.toLowerCase() ?? "";
  const isOne = names.filter((name) => name === "host").length === 1;
  if (!isOne || !hosts.some((known) => host === `${known}:${port}`))
    return refused(403, `the [Host] must be [127.0.0.1:${port}]`);
  if (names.includes("origin")) return refused(403, "requests of web pages are refused: [Origin]");
  if (names.includes("sec-fetch-site") && headers["sec-fetch-site"] !== "none")
    return refused(403, "requests of web pages are refused: [Sec-Fetch-Site]");
  const bearer = /^Bearer ([^ ]+)$/i.exec(headers.authorization ?? "")?.[1];
  if (bearer === undefined || !isSameToken(bearer, token))
    return refused(401, "the token of [orrery up] is missing or wrong: [Authorization: Bearer …]", {
      "www-authenticate": 'Bearer realm="orrery control"',
    });
  const isRead = readers.has(verb);
  if (method === "POST" || (isRead && method === "GET")) return undefined;
  const what = isRead ? "use GET or POST" : "use POST";
  return refused(405, `[${method}] is not understood here: ${what}`, {
    allow: isRead ? "GET, POST" : "POST",
  });
}

function refused(status: number, error: string, headers: Refused["headers"] = {}): Refused {
  return { status, error, headers };
}
