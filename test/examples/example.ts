/**
 * An example: what is asked of a fresh cluster, and what it answers. The rows of the product's tables are specified by them
 * (`test/examples/*`), and `npm run examples` asks any server the same.
 */
import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "@orrery/stdx";
import { parse } from "yaml";

export interface Example {
  /** The rule of the row, in a sentence. */
  readonly shows: string;
  /** Body of the request that creates the index `books`; there is none without it and without documents. */
  readonly index?: JsonObject;
  /** Indexed into `books` in one bulk that refreshes; `_id` and `_routing` are not part of a document. */
  readonly documents?: readonly JsonObject[];
  readonly exchanges: readonly Exchange[];
}

export interface Exchange {
  /** Method and path; `POST /books/_search` when absent. */
  readonly ask?: string;
  /** A list is sent as NDJSON. */
  readonly body?: Json;
  /**
   * Members of the answer for later exchanges: `{ scroll: _scroll_id }` makes `<scroll>` in a path or body stand for that member, and
   * `[_version, -1]` gives a value where there is none.
   */
  readonly keep?: Readonly<Record<string, string | readonly [string, Json]>>;
  /** 200 when absent. */
  readonly status?: number;
  /**
   * The part of the answer that is looked at: an object's members must be there and match, a list must have these elements and no
   * more, a text such as `/abc/` is a regular expression for a text or number, `null` is missing, too. Answers that are no JSON are texts.
   */
  readonly answer?: Json;
}

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** The response of an exchange: the status and the body, JSON or text. */
export interface Answered {
  readonly status: number;
  readonly body: Json;
}

export function readExample(file: string): Example {
  return parse(readFileSync(file, "utf8")) as Example;
}

/** The requests that make the index and its documents, in this order. */
export function preparations({ index, documents }: Example): readonly Request[] {
  const requests: Request[] = [];
  if (index !== undefined || documents !== undefined)
    requests.push({ method: "PUT", path: "/books", body: JSON.stringify(index ?? {}) });
  if (documents !== undefined && documents.length > 0)
    requests.push({
      method: "POST",
      path: "/books/_bulk?refresh=true",
      body: linesOf(documents.flatMap(bulkItem)),
    });
  return requests;
}

/** Values that exchanges kept of their answers, by name. */
export type Kept = ReadonlyMap<string, Json>;

export function requestOf({ ask = "POST /books/_search", body }: Exchange, kept: Kept): Request {
  const [method = "", path = ""] = withKept(ask, kept).split(" ");
  if (body === undefined) return { method, path, body: "" };
  const text = Array.isArray(body) ? linesOf(body) : JSON.stringify(body);
  return { method, path, body: withKept(text, kept) };
}

export function keptOf({ keep = {} }: Exchange, { body }: Answered): Kept {
  const kept = new Map<string, Json>();
  for (const [name, wanted] of Object.entries(keep)) {
    const [path, fallback] = typeof wanted === "string" ? [wanted, ""] : wanted;
    kept.set(name, memberAt(body, path) ?? fallback);
  }
  return kept;
}

function memberAt(body: Json, path: string): Json | undefined {
  let value: Json | undefined = body;
  for (const member of path.split("."))
    value =
      typeof value === "object" && value !== null
        ? Object.entries(value).find(([name]) => name === member)?.[1]
        : undefined;
  return value;
}

/** A number in place of a whole text loses the quotes. */
function withKept(text: string, kept: Kept): string {
  return text.replaceAll(/"<(\w+)>"|<(\w+)>/g, (placeholder, whole?: string, part?: string) => {
    const value = kept.get(whole ?? part ?? "");
    if (value === undefined) return placeholder;
    return whole === undefined ? String(value) : JSON.stringify(value);
  });
}

/** The differences of an answer from what the example says, each with its path. */
export function differences(exchange: Exchange, { status, body }: Answered): readonly string[] {
  const wanted = exchange.status ?? 200;
  const statuses = status === wanted ? [] : [`status ${status}, not ${wanted}`];
  if (exchange.answer === undefined) return statuses;
  return [...statuses, ...differencesAt("", exchange.answer, body)];
}

function differencesAt(path: string, wanted: Json, actual: Json | undefined): readonly string[] {
  const other = `${path}: ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`;
  if (wanted === null) return actual === null || actual === undefined ? [] : [other];
  if (Array.isArray(wanted)) {
    if (!Array.isArray(actual) || actual.length !== wanted.length) return [other];
    return wanted.flatMap((one, i) => differencesAt(`${path}[${i}]`, one, actual[i]));
  }
  if (typeof wanted === "object") {
    if (!isObject(actual)) return [other];
    return Object.entries(wanted).flatMap(([name, one]) =>
      differencesAt(`${path}.${name}`, one ?? null, actual[name]),
    );
  }
  if (typeof wanted === "string" && /^\/.*\/$/s.test(wanted)) {
    const isText = typeof actual === "string" || typeof actual === "number";
    return isText && new RegExp(wanted.slice(1, -1), "u").test(String(actual)) ? [] : [other];
  }
  return wanted === actual ? [] : [other];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bulkItem({ _id, _routing, ...source }: JsonObject): readonly JsonObject[] {
  const action = {
    ...(_id === undefined ? {} : { _id }),
    ...(_routing === undefined ? {} : { routing: _routing }),
  };
  return [{ index: action }, source];
}

function linesOf(lines: readonly Json[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
