/**
 * Requests of web pages (CORS): what is answered before anybody looks at the request, and the headers of all other answers.
 *
 * A request without `Origin` is of no page and stays as it is. With the policy in force a page that is not allowed gets nothing but a
 * 403, so that not even what it asks for is done. Source: `Netty4CorsHandler` of 3.8.0; the order of headers is its own.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { inHashOrder } from "@orrery/stdx";

export interface CorsPolicy {
  /** `any`: every page, whatever it calls itself. */
  readonly origins: "any" | ((origin: string) => boolean);
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly allowsCredentials: boolean;
  readonly maxAgeSeconds: number;
}

/** True: the request is answered. Otherwise the answer has its headers, and what it says is still to come. */
export function answersPage(
  policy: CorsPolicy,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  // Of several the first counts.
  const origin = request.headersDistinct["origin"]?.[0];
  if (origin === undefined) return false;
  const isPreflight =
    request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
  if (origin === "" && !isPreflight) return false;
  const allowed = allowedOrigin(policy, origin, request.headers.host ?? "");
  if (allowed === undefined) {
    response.writeHead(403, { "content-length": "0" }).end();
    return true;
  }
  response.setHeader("access-control-allow-origin", allowed);
  if (allowed !== "*") response.setHeader("vary", "origin");
  if (isPreflight) setPreflight(policy, response);
  if (policy.allowsCredentials) response.setHeader("access-control-allow-credentials", "true");
  if (!isPreflight) return false;
  response.setHeader("access-control-max-age", String(policy.maxAgeSeconds));
  response.setHeader("date", new Date().toUTCString());
  response.writeHead(200, { "content-length": "0" }).end();
  return true;
}

/** As the answer names it; undefined when the page may read nothing. */
function allowedOrigin(policy: CorsPolicy, origin: string, host: string): string | undefined {
  if (origin === "") return undefined;
  // Browsers give a page with credentials nothing of an answer that is for all.
  if (policy.origins === "any") return policy.allowsCredentials ? origin : "*";
  return policy.origins(origin) || isSameOrigin(origin, host) ? origin : undefined;
}

function isSameOrigin(origin: string, host: string): boolean {
  return host !== "" && (origin === `http://${host}` || origin === `https://${host}`);
}

function setPreflight({ methods, headers }: CorsPolicy, response: ServerResponse): void {
  if (methods.length > 0) response.setHeader("access-control-allow-methods", methods);
  if (headers.length > 0) response.setHeader("access-control-allow-headers", inHashOrder(headers));
}
