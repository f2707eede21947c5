/** The span of a client's request, with the names of the product (`SpanBuilder`, `AttributeNames`). */
import { beginTrace, type OpenSpan, type Tracer } from "@orrery/node";
import { firstOf } from "./respond.ts";
import type { RestRequest, RestResponse } from "./types.ts";

/** Answers the request inside a span, which begins a trace or continues that of the client's `traceparent`. */
export function tracedRequest(
  tracer: Tracer,
  request: RestRequest,
  answer: (request: RestRequest) => Promise<RestResponse>,
): Promise<RestResponse> {
  const span = spanOf(tracer, request);
  if (span === undefined) return answer(request);
  const headers = { ...request.headers, traceparent: span.traceparent };
  const answered = answer({ ...request, headers });
  void answered.then(({ status }) =>
    // A client's error is no failure of the server's span.
    span.end(status >= 500 ? `status ${status}` : undefined, { "http.status_code": status }),
  );
  return answered;
}

function spanOf(tracer: Tracer, { method, uri, headers }: RestRequest): OpenSpan | undefined {
  const [path = "", ...query] = uri.split("?");
  const given = {
    traceparent: firstOf(headers["traceparent"]),
    tracestate: firstOf(headers["tracestate"]),
  };
  return beginTrace(tracer, given, {
    name: `${method} ${path}`,
    kind: "server",
    attributes: {
      "http.method": method,
      "http.uri": uri,
      ...(query.length === 0 ? {} : { "url.query": query.join("?") }),
    },
  });
}
