/**
 * What an operation is: official group, routes, typed parameters, body, deviations, handler.
 *
 * To add one: a folder `operations/<group>/` with `operation.ts`, and its row in `operations/table.ts`. Routing, the refusal
 * of unknown parameters, 405 answers and the comparison with the API description all read these rows.
 */
import type { ClientPermission, Cluster } from "@orrery/node";
import type { SearchLanguage } from "@orrery/query";
import type { Content } from "./content.ts";
import type { Printable } from "./json/printable.ts";
import type { Format } from "./media-type.ts";
import type { Parameters, Parsed } from "./parameters.ts";

/** `GET /{index}/_doc/{id}` */
export type Route = `${"GET" | "HEAD" | "POST" | "PUT" | "DELETE"} /${string}`;

/** A difference from the API description, or from the product where it is a leniency, and why. */
export interface Deviation {
  readonly kind: "route" | "parameter" | "behaviour";
  /** The route or parameter, or a few words. */
  readonly name: string;
  readonly reason: string;
  /** Switched off by `orrery.strict`. */
  readonly isLeniency?: boolean;
}

/** What a handler sees of the request besides its parameters. */
export interface RequestView {
  /** Of the node that is asked. */
  readonly language: SearchLanguage;
  readonly method: string;
  /** Decoded path, without the query. */
  readonly path: string;
  /** Path and query as sent. */
  readonly uri: string;
  readonly isHuman: boolean;
  /** `error_trace` */
  readonly isDetailed: boolean;
  /** As the request asks for it, by parameter or `Accept` header. */
  readonly format: Format | undefined;
  /** A header's first value. */
  header(name: string): string | undefined;
  /** Whether the parameter is in the query or the path. */
  has(name: string): boolean;
  /** Adds a deprecation `Warning` to the answer. */
  warn(text: string): void;
  /** Told what to call when the client is gone. */
  readonly onClose: ((cancel: () => void) => void) | undefined;
  /** As that of `RestRequest`. */
  readonly hold: ((bytes: number) => void) | undefined;
}

export interface Call<P extends Parameters, B> {
  /** Decoded parameters of the path. */
  readonly path: Readonly<Record<string, string | undefined>>;
  readonly query: Parsed<P>;
  readonly body: B;
  readonly request: RequestView;
}

export interface Answer {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or YAML when asked for. */
  readonly body?: Printable;
  /** Text instead; no body and no text is an empty text answer. */
  readonly text?: string;
  /** Of a text that is not `text/plain`. */
  readonly contentType?: string;
  /** Indented unless `pretty=false`. */
  readonly isPretty?: boolean;
  /** An error: `filter_path` does not apply. */
  readonly isError?: boolean;
}

/** Reads the body before unknown parameters are looked for, as the product's handlers do. */
export type BodyParser<B> = (content: Content | undefined, request: RequestView) => B;

/**
 * The name of the product's transport action that carries the operation out, and of several the one that gives what is answered: what a
 * guard decides by. `none`: nothing of the cluster is shown or changed.
 */
export type OperationPermission = ClientPermission | "none";

export interface OperationSpec<P extends Parameters, B> {
  /** The official `x-operation-group`. */
  readonly group: string;
  readonly permission: OperationPermission;
  readonly routes: readonly Route[];
  readonly query: P;
  /** Absent: a body is refused. `ignored`: one is taken and not looked at, and none is taken from the parameters. */
  readonly body?: BodyParser<B> | "ignored";
  /** Named by the API description or answered by the product, with the difference said. */
  readonly deviations: readonly Deviation[];
  /** Parameters of answers that any metric of theirs may use: `flat_settings` and so on are not unknown. */
  readonly responseParameters?: readonly string[];
  /** The body is NDJSON: YAML and CBOR are refused. */
  readonly isStream?: boolean;
  /** The body is a document, which is passed on as it came. */
  readonly isDocument?: boolean;
  readonly handle: (call: Call<P, B>, cluster: Cluster) => Answer | Promise<Answer>;
}

/** An operation whose types are checked and forgotten, as the table holds it. */
export type Operation = OperationSpec<Parameters, unknown>;

export function defineOperation<const P extends Parameters, B = undefined>(
  spec: OperationSpec<P, B>,
): Operation {
  // Sound because `dispatch` parses query and body with the same spec it calls `handle` with.
  return spec as unknown as Operation;
}
