/**
 * Serves one request. The order of checks is the product's (`RestController`, `BaseRestHandler`): `error_trace`, path
 * and method, content type, parameters, body, unknown parameters, a body that the operation does not read, and then
 * the operation.
 *
 * `dispatch` never rejects: every error becomes an error envelope; an unforeseen error is logged
 * as well.
 */
import {
  guarded,
  type Cancellation,
  type Cluster,
  type OperationCall,
  type Product,
  type RequestContext,
} from "@orrery/node";
import type { SearchLanguage } from "@orrery/query";
import { lookup, OperationError, problemOf, setKey, stackOf, utf8Encode } from "@orrery/stdx";
import { callerOf, clientCancellation } from "./client-context.ts";
import { contentOf, type Content } from "./content.ts";
import { errorEnvelope } from "./errors.ts";
import { contentTypeOf, formatOf, mediaTypeOf } from "./media-type.ts";
import type { Answer, Operation, RequestView } from "./operation.ts";
import { operations } from "./operations/table.ts";
import { parseBoolean, sortedNames } from "./parameters.ts";
import { firstOf, respond, type Exchange } from "./respond.ts";
import { createRouter, type Match, type Router } from "./router.ts";
import type { RestRequest, RestResponse } from "./types.ts";
import { unrecognized } from "./unrecognized.ts";
import { parseUri, type Target } from "./uri.ts";

const METHODS = new Set([
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "OPTIONS",
  "HEAD",
  "PATCH",
  "TRACE",
  "CONNECT",
]);

/** Parameters of the response format, which every operation accepts. */
const COMMON_PARAMETERS = ["pretty", "human", "error_trace", "filter_path", "format"];

/** Parameters that replace a body, accepted by operations that read one; "did you mean" never suggests them. */
const BODY_PARAMETERS = new Set(["source", "source_content_type"]);

/** One router per product, which all nodes of a program share. */
const routers = new WeakMap<Product, Router>();

function routerOf({ product }: Cluster): Router {
  let router = routers.get(product);
  if (router === undefined) {
    // Sound because plugins list only values of `defineOperation`.
    const added = product.plugins.flatMap(
      (plugin) => (plugin.operations ?? []) as readonly Operation[],
    );
    router = createRouter([...operations, ...added]);
    routers.set(product, router);
  }
  return router;
}

/** Serves one request on the node `cluster` and returns its response; every error becomes a response. */
export async function dispatch(request: RestRequest, cluster: Cluster): Promise<RestResponse> {
  const exchange: Exchange = { request, query: new Map(), warnings: [], isDetailed: false };
  try {
    const target = parseUri(request.uri);
    exchange.query = target.query;
    return respond(exchange, await serve(exchange, target, cluster));
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (problem.internal !== undefined) {
      const told = thrown instanceof OperationError ? problem.internal : stackOf(thrown);
      cluster.log("error", `${request.method} ${request.uri}: ${told}`);
    }
    const body = errorEnvelope(problem, { isDetailed: exchange.isDetailed });
    return respond(exchange, { status: problem.status, body, isError: true });
  }
}

async function serve(exchange: Exchange, target: Target, cluster: Cluster): Promise<Answer> {
  const { request } = exchange;
  const repeated = repeatedHeader(request);
  if (repeated !== undefined) return repeated;
  const trace = target.query.get("error_trace");
  exchange.isDetailed = trace !== undefined && parseBoolean(trace);
  const pretty = target.query.get("pretty");
  if (pretty !== undefined) parseBoolean(pretty);
  const router = routerOf(cluster);
  const match = findRoute(router, target);
  if (match === "undecodable") return wrongMethod(router, undefined, target.rawPath);
  if (!METHODS.has(request.method)) return wrongMethod(router, undefined, target.rawPath);
  const operation = match?.operations.get(request.method);
  if (!cluster.isStrict && isMissing(request, target, match)) return noHandler(request, MISSING);
  if (match === undefined || operation === undefined)
    return noOperation(router, request, { target, match });
  return run({ exchange, target, operation, match }, cluster);
}

function repeatedHeader({ headers }: RestRequest): Answer | undefined {
  const values = headers["x-opaque-id"];
  if (values === undefined || typeof values === "string" || new Set(values).size < 2)
    return undefined;
  const error = "multiple values for single-valued header [X-Opaque-Id].";
  return { status: 400, body: { error, status: 400 }, isError: true };
}

function findRoute(router: Router, target: Target): Match | undefined | "undecodable" {
  try {
    return router.find(target.rawPath);
  } catch (error) {
    if (error instanceof URIError) return "undecodable";
    throw error;
  }
}

function wrongMethod(
  router: Router,
  method: string | undefined,
  rawPath: string,
  uri = "",
): Answer {
  const allowed = sortedNames(router.find(rawPath.replaceAll("%", "%25"))?.operations.keys() ?? []);
  const what =
    method === undefined
      ? "Unexpected HTTP method"
      : `Incorrect HTTP method for uri [${uri}] and method [${method}]`;
  return {
    status: 405,
    headers: { Allow: allowed.join(",") },
    body: { error: `${what}, allowed: [${allowed.join(", ")}]`, status: 405 },
    isError: true,
  };
}

/** End of the answer about an operation that the product may have. */
const MISSING = ": Orrery has no such operation yet";

/**
 * Whether the request names an operation that does not exist, by its underscore. The name of one that stands alone would be read as an
 * index; a PUT of such a name is meant as one.
 */
function isMissing(
  { method }: RestRequest,
  { rawPath }: Target,
  match: Match | undefined,
): boolean {
  const segments = rawPath.split("/").filter((segment) => segment !== "");
  if (match === undefined) return segments.some((segment) => segment.startsWith("_"));
  const [only = ""] = segments;
  const isIndex = segments.length === 1 && match.path["index"] === only;
  return isIndex && /^_[a-z_]+$/.test(only) && only !== "_all" && method !== "PUT";
}

function noHandler({ method, uri }: RestRequest, why = ""): Answer {
  const error = `no handler found for uri [${uri}] and method [${method}]${why}`;
  return { status: 400, body: { error }, isError: true };
}

function noOperation(
  router: Router,
  request: RestRequest,
  { target, match }: { readonly target: Target; readonly match: Match | undefined },
): Answer {
  if (match === undefined) return noHandler(request);
  const { method, uri } = request;
  if (method !== "OPTIONS") return wrongMethod(router, method, target.rawPath, uri);
  return { text: "", headers: { Allow: sortedNames(match.operations.keys()).join(",") } };
}

interface Run {
  readonly exchange: Exchange;
  readonly target: Target;
  readonly operation: Operation;
  readonly match: Match;
}

function run(given: Run, node: Cluster): Answer | Promise<Answer> {
  const { operation, exchange } = given;
  const { request } = exchange;
  const { operationGuards } = node.product;
  const context = node.begin(callerOf(request), clientCancellation(request));
  const match = withPathParameters(given);
  const found = { ...given, match };
  if (operationGuards.length === 0) return carryOut(found, node, context);
  const call: OperationCall = {
    context,
    permission: operation.permission,
    group: operation.group,
    indices: lookup(match.path, "index")?.split(",") ?? [],
    path: match.path,
    header: (name) => firstOf(lookup(request.headers, name)),
  };
  return guarded(operationGuards, call, async (under) => carryOut(found, node, under));
}

function carryOut(found: Run, node: Cluster, context: RequestContext): Answer | Promise<Answer> {
  const { exchange, target, operation, match } = found;
  const { request, warnings } = exchange;
  const cluster = node.under(context);
  const refusal = checkContentType(request, operation) ?? checkFormat(target);
  if (refusal !== undefined) return refusal;
  const view = viewOf(found, cluster, context.cancellation);
  const query = parsedQuery(operation, target, match);
  checkManagerTimeout(target, operation, warnings);
  const content = contentFrom(request, target, operation);
  const handle = (): Answer | Promise<Answer> => {
    const body = operation.body === "ignored" ? undefined : operation.body?.(content, view);
    checkKnown(target, operation, match);
    return operation.handle({ path: match.path, query, body, request: view }, cluster);
  };
  const preparing = readsJson(operation) ? content?.prepare(cluster.clock) : undefined;
  return preparing === undefined ? handle() : preparing.then(handle);
}

/** Parsed values of a request without parameters, by operation. Caching is sound because parsers are pure. */
const withoutParameters = new Map<Operation, Readonly<Record<string, unknown>>>();

function parsedQuery(
  operation: Operation,
  target: Target,
  match: Match,
): Readonly<Record<string, unknown>> {
  let defaults = withoutParameters.get(operation);
  if (defaults === undefined) {
    const entries = Object.entries(operation.query).map(([name, { parse }]) => [
      name,
      parse(undefined, name),
    ]);
    defaults = Object.fromEntries(entries) as Record<string, unknown>;
    withoutParameters.set(operation, defaults);
  }
  let query: Record<string, unknown> | undefined;
  for (const name in match.path) {
    const parameter = lookup(operation.query, name);
    if (parameter !== undefined)
      setKey((query ??= { ...defaults }), name, parameter.parse(lookup(match.path, name), name));
  }
  for (const [name, given] of target.query) {
    const parameter = lookup(operation.query, name);
    if (parameter !== undefined)
      setKey((query ??= { ...defaults }), name, parameter.parse(given, name));
  }
  return query ?? defaults;
}

/** Adds path parameters from the query string: a parameter of any path of the operation may be sent there as well. */
function withPathParameters({ target, operation, match }: Run): Match {
  if (target.query.size === 0) return match;
  const path: Record<string, string | undefined> = { ...match.path };
  for (const name of pathNames(operation)) {
    const given = target.query.get(name);
    if (given !== undefined && !Object.hasOwn(operation.query, name))
      setKey(path, name, lookup(path, name) ?? given);
  }
  return { operations: match.operations, path };
}

const namesInPaths = new Map<Operation, readonly string[]>();

/** Names of the parameters in any path of the operation. */
function pathNames(operation: Operation): readonly string[] {
  let names = namesInPaths.get(operation);
  if (names === undefined) {
    const all = operation.routes.flatMap((route) => [...route.matchAll(/\{(\w+)\}/g)]);
    names = [...new Set(all.map(([, name = ""]) => name))];
    namesInPaths.set(operation, names);
  }
  return names;
}

/** The handler's view of the request; `gone` fires when the client disconnects. */
function viewOf(
  { exchange, target, match }: Run,
  cluster: Cluster,
  gone: Cancellation,
): RequestView {
  const human = target.query.get("human");
  const isHuman = human !== undefined && parseBoolean(human);
  return new View({ exchange, target, match, gone, isHuman, language: cluster.product.language });
}

interface ViewInput {
  readonly exchange: Exchange;
  readonly target: Target;
  readonly match: Match;
  readonly gone: Cancellation;
  readonly isHuman: boolean;
  readonly language: SearchLanguage;
}

/** The view of one request. A class, because one is made per request and most handlers read little of it. */
class View implements RequestView {
  readonly language: SearchLanguage;
  readonly method: string;
  readonly path: string;
  readonly uri: string;
  readonly isHuman: boolean;
  readonly isDetailed: boolean;
  private readonly exchange: Exchange;
  private readonly target: Target;
  private readonly match: Match;
  private readonly gone: Cancellation;

  constructor({ exchange, target, match, gone, isHuman, language }: ViewInput) {
    const { request } = exchange;
    this.language = language;
    this.method = request.method;
    this.path = target.path;
    this.uri = request.uri;
    this.isHuman = isHuman;
    this.isDetailed = exchange.isDetailed;
    this.exchange = exchange;
    this.target = target;
    this.match = match;
    this.gone = gone;
  }

  get onClose(): RequestView["onClose"] {
    if (this.exchange.request.onClose === undefined) return undefined;
    return (cancel) => void this.gone.onCancel(() => cancel());
  }

  get hold(): RequestView["hold"] {
    return this.exchange.request.hold;
  }

  get format(): RequestView["format"] {
    return formatOf(this.target.query.get("format")) ?? formatOf(this.header("accept"));
  }

  header(name: string): string | undefined {
    return firstOf(lookup(this.exchange.request.headers, name));
  }

  has(name: string): boolean {
    return this.target.query.has(name) || lookup(this.match.path, name) !== undefined;
  }

  warn(message: string): void {
    const { warnings } = this.exchange;
    if (!warnings.includes(message)) warnings.push(message);
  }
}

/**
 * Refuses a `format` that this node cannot write (CBOR, SMILE). The same format in an `Accept` header is answered
 * with JSON, as in the product.
 */
function checkFormat({ query }: Target): Answer | undefined {
  const format = formatOf(query.get("format"));
  if (format !== "cbor" && format !== "smile") return undefined;
  return {
    status: 406,
    body: { error: `response format [${format}] is not supported`, status: 406 },
    isError: true,
  };
}

/** Answers 406 for an unsupported content type, in the format that the body claims to have, as the product does. */
function checkContentType(request: RestRequest, operation: Operation): Answer | undefined {
  if (request.body.length === 0) return undefined;
  const header = request.headers["content-type"];
  const type = contentTypeOf(header);
  const unsupported = (): Answer => {
    const error = `Content-Type header [${firstOf(header) ?? ""}] is not supported`;
    return { status: 406, body: { error, status: 406 }, isError: true };
  };
  if (type === undefined) return unsupported();
  if (operation.isStream === true && (type === "yaml" || type === "cbor")) {
    const name = type.toUpperCase();
    const error = `Content-Type [${name}] does not support stream parsing. Use JSON or SMILE instead`;
    return { status: 406, body: { error, status: 406 }, isError: true };
  }
  return type === "cbor" || type === "smile" ? unsupported() : undefined;
}

function readsBody({ body }: Operation): boolean {
  return body !== undefined && body !== "ignored";
}

/** Whether the body is parsed as one JSON value, not as lines or an opaque document. */
function readsJson(operation: Operation): boolean {
  return readsBody(operation) && operation.isStream !== true && operation.isDocument !== true;
}

function contentFrom(
  request: RestRequest,
  target: Target,
  operation: Operation,
): Content | undefined {
  if (request.body.length === 0 && target.query.size === 0) {
    // Even without a body the header must be a valid media type.
    if (request.headers["content-type"] !== undefined)
      contentTypeOf(request.headers["content-type"]);
    return undefined;
  }
  const type = contentTypeOf(request.headers["content-type"]);
  if (request.body.length > 0) return contentOf(request.body, type ?? "json");
  // An operation without a body parser does not read the `source` parameter either.
  const source = readsBody(operation) ? target.query.get("source") : undefined;
  if (source === undefined) return undefined;
  const sourceType = target.query.get("source_content_type");
  if (sourceType === undefined) {
    const reason = "source and source_content_type parameters are required";
    throw new OperationError({ type: "illegal_state_exception", reason, status: 500 });
  }
  const media = mediaTypeOf(sourceType);
  if (media === undefined || media === "cbor" || media === "smile") {
    const reason = `Unknown value for source_content_type [${sourceType}]`;
    throw new OperationError({ type: "illegal_state_exception", reason, status: 500 });
  }
  return contentOf(utf8Encode(source), media);
}

function checkManagerTimeout(target: Target, operation: Operation, warnings: string[]): void {
  if (!("master_timeout" in operation.query) || !target.query.has("master_timeout")) return;
  warnings.push(
    "Parameter [master_timeout] is deprecated and will be removed in 3.0. To support inclusive language, please use [cluster_manager_timeout] instead.",
  );
  if (!target.query.has("cluster_manager_timeout")) return;
  const reason =
    "Please only use one of the request parameters [master_timeout, cluster_manager_timeout].";
  throw new OperationError({ type: "parse_exception", reason, status: 400 });
}

function checkKnown(target: Target, operation: Operation, match: Match): void {
  if (target.query.size === 0) return;
  const response = operation.responseParameters ?? [];
  const unknown = [...target.query.keys()].filter(
    (name) =>
      !Object.hasOwn(operation.query, name) &&
      !COMMON_PARAMETERS.includes(name) &&
      !(BODY_PARAMETERS.has(name) && readsBody(operation)) &&
      !response.includes(name) &&
      !Object.hasOwn(match.path, name),
  );
  if (unknown.length === 0) return;
  const suggested = Object.entries(operation.query).flatMap(([name, { isSuggested }]) =>
    isSuggested ? [name] : [],
  );
  const candidates = [...suggested, ...response, ...COMMON_PARAMETERS, ...Object.keys(match.path)];
  throw unrecognized(target.path, "parameter", unknown, candidates);
}
