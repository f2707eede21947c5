/**
 * Who may speak to the control endpoint: a program of this machine that has its token, and no web page.
 *
 * A page of a browser on this machine reaches the port, under a name of its own that leads to 127.0.0.1 as well. Its requests carry that
 * name in `Host`, and `Origin` or `Sec-Fetch-Site`; neither can be left out by the page.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isSameToken } from "./control-token.ts";

export interface Asked {
  readonly method: string;
  readonly verb: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values as they came: a name may be there twice. */
  readonly rawHeaders: readonly string[];
}

export interface Guarded {
  readonly port: number;
  readonly token: string;
}

export interface Refused {
  readonly status: number;
  readonly error: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** They change nothing. */
const readers: ReadonlySet<string> = new Set(["status", "list"]);
const hosts: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Why the request is not looked at any further; `undefined` when it is. */
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
