/** Builds the response from a handler's answer: headers, format, `pretty`, `filter_path`, HEAD. */
import { utf8Encode } from "@orrery/stdx";
import { render, type RenderOptions } from "./json/render.ts";
import { contentTypeOf, formatOf, type MediaType } from "./media-type.ts";
import type { Answer } from "./operation.ts";
import { version, warningHeader } from "./product.ts";
import type { RestRequest, RestResponse } from "./types.ts";

/** State of a request while it is served; fields are filled in as parsing proceeds. */
export interface Exchange {
  readonly request: RestRequest;
  query: ReadonlyMap<string, string>;
  readonly warnings: string[];
  isDetailed: boolean;
}

/** Builds the response. For HEAD the body is rendered too, for its length, and not sent. */
export function respond(exchange: Exchange, answer: Answer): RestResponse {
  const { request, warnings } = exchange;
  const headers: Record<string, string | readonly string[]> = {};
  if (warnings.length > 0) headers["Warning"] = warnings.map(warningHeader);
  const opaqueId = firstOf(request.headers["x-opaque-id"]);
  if (opaqueId !== undefined) headers["X-Opaque-Id"] = opaqueId;
  headers["X-OpenSearch-Version"] = `OpenSearch/${version} (opensearch)`;
  Object.assign(headers, answer.headers);
  const { body, type } = renderAnswer(answer, exchange);
  headers["content-type"] = type;
  headers["content-length"] = String(body.reduce((sum, piece) => sum + piece.length, 0));
  return { status: answer.status ?? 200, headers, body: request.method === "HEAD" ? [] : body };
}

function renderAnswer(
  answer: Answer,
  exchange: Exchange,
): { readonly body: readonly Uint8Array[]; readonly type: string } {
  if (answer.body === undefined) {
    const text = answer.text ?? "";
    return {
      body: text === "" ? [] : [utf8Encode(text)],
      type: answer.contentType ?? "text/plain; charset=UTF-8",
    };
  }
  const options = renderOptions(answer, exchange);
  const type = options.format === "yaml" ? "application/yaml" : "application/json; charset=UTF-8";
  return { body: render(answer.body, options), type };
}

function renderOptions(answer: Answer, { request, query }: Exchange): RenderOptions {
  const wanted = formatOf(query.get("format")) ?? formatOf(firstOf(request.headers["accept"]));
  const isYaml = wanted === "yaml" || (wanted === undefined && bodyType(request) === "yaml");
  const pretty = query.get("pretty");
  return {
    format: isYaml ? "yaml" : "json",
    isPretty: pretty === undefined ? answer.isPretty === true : pretty !== "false",
    filterPath: answer.isError === true ? undefined : query.get("filter_path"),
  };
}

/** Format of the request's body, in which a request without an explicit format is answered. */
function bodyType(request: RestRequest): MediaType | undefined {
  if (request.body.length === 0) return undefined;
  try {
    return contentTypeOf(request.headers["content-type"]);
  } catch {
    // The invalid header is the subject of the error response, so it selects no format.
    return undefined;
  }
}

/** The first value of a header that may be repeated. */
export function firstOf(header: string | readonly string[] | undefined): string | undefined {
  return header === undefined || typeof header === "string" ? header : header[0];
}
