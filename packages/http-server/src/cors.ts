/**
 * CORS: preflight responses, and the CORS headers of all other responses.
 *
 * A request without `Origin` does not come from a web page and is unchanged. If the policy does not allow the origin,
 * the response is a 403 and the request is not executed. Source: `Netty4CorsHandler` of 3.8.0, including its order of
 * headers.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { inHashOrder } from "@orrery/stdx";

export interface CorsPolicy {
  /**
   * `any`: every origin is allowed; else a predicate, true for the allowed origins. The server's own origin is always
   * allowed.
   */
  readonly origins: "any" | ((origin: string) => boolean);
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly allowsCredentials: boolean;
  readonly maxAgeSeconds: number;
}

/**
 * Applies the CORS policy to a request. True: the request has been answered, as a preflight or with 403. False: the
 * caller executes the request and sends the response, whose CORS headers are set if the request has an `Origin`.
 */
export function answersPage(
  policy: CorsPolicy,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  // Of several `Origin` headers the first counts.
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

/** Value of `Access-Control-Allow-Origin`; `undefined` if the page must not read the response. */
function allowedOrigin(policy: CorsPolicy, origin: string, host: string): string | undefined {
  if (origin === "") return undefined;
  // Browsers refuse `*` for requests with credentials, so the origin itself is returned.
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
