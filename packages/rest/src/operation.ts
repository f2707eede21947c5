/**
 * The type of a REST operation: official group, routes, typed parameters, body, deviations, handler.
 *
 * A new operation is a folder `operations/<group>/` with `operation.ts`, and a row in `operations/table.ts`. Routing,
 * the refusal of unknown parameters, 405 responses and the comparison with the API specification read these rows.
 */
import type { ClientPermission, Cluster } from "@orrery/node";
import type { SearchLanguage } from "@orrery/query";
import type { Content } from "./content.ts";
import type { Printable } from "./json/printable.ts";
import type { Format } from "./media-type.ts";
import type { Parameters, Parsed } from "./parameters.ts";

/** A method and a path, such as `GET /{index}/_doc/{id}`. */
export type Route = `${"GET" | "HEAD" | "POST" | "PUT" | "DELETE"} /${string}`;

/** A documented difference from the API specification or, for a leniency, from the product, with its reason. */
export interface Deviation {
  readonly kind: "route" | "parameter" | "behaviour";
  /** The route or parameter, or a short name of the behaviour. */
  readonly name: string;
  readonly reason: string;
  /** Whether the setting `orrery.strict` switches it off. */
  readonly isLeniency?: boolean;
}

/** The request as handlers and body parsers see it, beside parameters and body. */
export interface RequestView {
  /** The search language of the node that serves the request. */
  readonly language: SearchLanguage;
  readonly method: string;
  /** Decoded path, without the query string. */
  readonly path: string;
  /** Path and query string as sent. */
  readonly uri: string;
  readonly isHuman: boolean;
  /** Whether `error_trace` is set. */
  readonly isDetailed: boolean;
  /** Format that the parameter `format` or the header `Accept` requests. */
  readonly format: Format | undefined;
  /** First value of a header. */
  header(name: string): string | undefined;
  /** Whether the request has the parameter, in query string or path. */
  has(name: string): boolean;
  /** Adds a deprecation `Warning` header to the response. */
  warn(text: string): void;
  /** Registers a function to be called when the client disconnects; `undefined` when the connection does not report it. */
  readonly onClose: ((cancel: () => void) => void) | undefined;
  /** Counts response bytes; see `RestRequest.hold`. */
  readonly hold: ((bytes: number) => void) | undefined;
}

/** A call of a handler: parsed path, query and body. */
export interface Call<P extends Parameters, B> {
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: Parsed<P>;
  readonly body: B;
  readonly request: RequestView;
}

/** Result of a handler, before it is rendered. */
export interface Answer {
  /** Status; default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, printed as JSON, or as YAML on request. */
  readonly body?: Printable;
  /** Plain text instead of a body. Neither body nor text: an empty text response. */
  readonly text?: string;
  /** Content type of a text that is not `text/plain`. */
  readonly contentType?: string;
  /** Whether JSON is indented unless `pretty=false`. */
  readonly isPretty?: boolean;
  /** Whether the response is an error, to which `filter_path` does not apply. */
  readonly isError?: boolean;
}

/** Parses the body. Runs before unknown parameters are rejected, as in the product's handlers. */
export type BodyParser<B> = (content: Content | undefined, request: RequestView) => B;

/**
 * Name of the transport action of the product that a guard decides by; of several actions, the one whose result is
 * returned. `none`: the operation neither reads nor changes the cluster.
 */
export type OperationPermission = ClientPermission | "none";

/** An operation with the types of its parameters and body. */
export interface OperationSpec<P extends Parameters, B> {
  /** The official `x-operation-group`. */
  readonly group: string;
  readonly permission: OperationPermission;
  readonly routes: readonly Route[];
  readonly query: P;
  /**
   * Parser of the body. Absent: a body is refused. `ignored`: a body is accepted and not read, and neither is the
   * parameter `source`.
   */
  readonly body?: BodyParser<B> | "ignored";
  /** Differences from the API specification or the product. */
  readonly deviations: readonly Deviation[];
  /** Parameters of the response format (such as `flat_settings`), which are accepted even if no handler reads them. */
  readonly responseParameters?: readonly string[];
  /** Whether the body is NDJSON, so that YAML and CBOR are refused. */
  readonly isStream?: boolean;
  /** Whether the body is a document that is forwarded unparsed. */
  readonly isDocument?: boolean;
  readonly handle: (call: Call<P, B>, cluster: Cluster) => Answer | Promise<Answer>;
}

/** An operation with its type parameters erased, as the table holds it. */
export type Operation = OperationSpec<Parameters, unknown>;

/** Checks the types of an operation and erases them. */
export function defineOperation<const P extends Parameters, B = undefined>(
  spec: OperationSpec<P, B>,
): Operation {
  // Sound because `dispatch` parses query and body with the very spec whose `handle` it calls.
  return spec as unknown as Operation;
}
