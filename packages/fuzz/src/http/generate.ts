/**
 * Generator of bad requests: a valid one with one or two changes, one built from parts of an operation, or one that is
 * no HTTP.
 */
import { lookup } from "@orrery/stdx";
import type { Operation } from "@orrery/rest";
import type { Json, Random } from "@orrery/stdx";
import { bodiesOf, commonParameters, linesOf, pathValues } from "./bodies.ts";
import { readCorpus, type Seed } from "./corpus.ts";
import { readTree, writeTree } from "../json/json-text.ts";
import { mutateTree } from "../json/mutate-json.ts";
import { nastyName, nastyParameter } from "../json/nasty.ts";
import type { HttpCase, Piece } from "./request.ts";
import { damageBytes } from "./damage.ts";
import type { SessionOptions } from "../target.ts";
import { drawWire } from "./wire.ts";

/** One in this number of requests with bytes has damaged ones. */
const WIRES = 6;

export function generateRequest(random: Random, { world }: SessionOptions): HttpCase {
  const request = generateMeaning(random);
  if (world === "sim" || random.int(0, WIRES) > 0) return request;
  return { ...request, wire: drawWire(random) };
}

function generateMeaning(random: Random): HttpCase {
  const request = random.int(0, 2) === 0 ? fromSeed(random) : fromOperation(random);
  const damaged = random.int(0, 7) === 0 ? damageBytes(random, request) : request;
  return random.int(0, 11) === 0
    ? { ...damaged, headers: { ...damaged.headers, ...oddHeader(random) } }
    : damaged;
}

function fromSeed(random: Random): HttpCase {
  const { seeds } = readCorpus();
  const seed = random.pick(seeds);
  const [path, query] = split(seed.uri);
  const uri = withQuery(
    random,
    random.int(0, 1) === 0 ? onKnownIndex(random, path) : mutatePath(random, path),
    query,
  );
  const body = random.int(0, 3) === 0 ? [seed.body] : mutateBody(random, seed);
  return withBody(random.int(0, 19) === 0 ? random.pick(METHODS) : seed.method, uri, {
    body,
    isLines: seed.isLines,
  });
}

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "get", "FOO"];

function fromOperation(random: Random): HttpCase {
  const { operations } = readCorpus();
  // Every fourth request is a search, which has the largest language.
  const operation =
    random.int(0, 3) === 0
      ? (operations.find(({ group }) => group === "search") ?? random.pick(operations))
      : random.pick(operations);
  const route = random.pick(operation.routes);
  const [method, path = "/"] = split(route, " ");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => placeValue(random, name));
  const uri = withParameters(random, filled, operation);
  const lines = linesOf(operation.group);
  if (lines.length > 0) {
    const written = random.pick(lines).map((line) => maybeMutated(random, line));
    return withBody(method, uri, {
      body: [written.map((line) => `${line}\n`).join("")],
      isLines: true,
    });
  }
  const bodies = bodiesOf(operation.group);
  if (bodies.length === 0 && random.int(0, 3) > 0) return { method, uri, headers: {}, body: [] };
  const { words } = readCorpus();
  const body = bodies.length === 0 ? random.pick(words.parts) : random.pick(bodies);
  const text =
    random.int(0, 7) === 0 ? JSON.stringify(body) : writeTree(mutateTree(random, body, words));
  return withBody(method, uri, { body: [text], isLines: false });
}

function maybeMutated(random: Random, line: Json): string {
  return random.int(0, 1) === 0
    ? JSON.stringify(line)
    : writeTree(mutateTree(random, line, readCorpus().words));
}

function split(text: string, at = "?"): [string, string | undefined] {
  const found = text.indexOf(at);
  return found < 0 ? [text, undefined] : [text.slice(0, found), text.slice(found + 1)];
}

function placeValue(random: Random, name: string): string {
  const values = Object.hasOwn(pathValues, name) ? (lookup(pathValues, name) ?? []) : [];
  const kind = random.int(0, 9);
  if (kind < 7 && values.length > 0) return random.pick(values);
  return encoded(random, kind === 9 ? nastyParameter(random) : nastyName(random));
}

/** Encodes a text, mostly correctly. */
function encoded(random: Random, text: string): string {
  const shortened = text.slice(0, random.pick([3000, 9000]));
  switch (random.int(0, 15)) {
    case 0:
      return shortened.replaceAll(/[\s\u0000]/g, "+");
    case 1:
      return `${wellEncoded(shortened)}%`;
    case 2:
      return `%zz${wellEncoded(shortened)}`;
    case 3:
      return wellEncoded(wellEncoded(shortened));
    case 4:
      return `${wellEncoded(shortened)}${random.pick(["%00", "%c0%80", "%ff", "%ed%a0%80", "%e2%80%ae", "%25%32%66", "%u0041"])}`;
    default:
      return wellEncoded(shortened);
  }
}

function wellEncoded(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

function withParameters(random: Random, path: string, { query }: Operation): string {
  const known = Object.keys(query);
  const count = random.pick([0, 0, 1, 1, 2, 4]);
  const parameters = Array.from({ length: count }, () => {
    const kind = random.int(0, 9);
    if (kind === 0)
      return `${encoded(random, nastyName(random))}=${encoded(random, nastyParameter(random))}`;
    if (kind <= 2 || known.length === 0) {
      const name = random.pick(Object.keys(commonParameters));
      const values = lookup(commonParameters, name) ?? [""];
      return `${name}=${encoded(random, random.int(0, 2) === 0 ? nastyParameter(random) : random.pick(values))}`;
    }
    return `${random.pick(known)}=${encoded(random, nastyParameter(random))}`;
  });
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}

/** Query string with a changed value, a repeated or an added parameter. */
function withQuery(random: Random, path: string, query: string | undefined): string {
  const parameters = query === undefined ? [] : query.split("&");
  const kind = random.int(0, 6);
  if (kind === 0)
    parameters.push(
      `${encoded(random, nastyName(random))}=${encoded(random, nastyParameter(random))}`,
    );
  if (kind === 1 && parameters.length > 0) parameters.push(random.pick(parameters));
  if (kind === 2 && parameters.length > 0) {
    const at = random.int(0, parameters.length - 1);
    const [name] = split(parameters[at] ?? "", "=");
    parameters[at] = `${name}=${encoded(random, nastyParameter(random))}`;
  }
  return parameters.length === 0 ? path : `${path}?${parameters.join("&")}`;
}

/** Recorded requests name indices of their own; most are redirected to an existing one. */
function onKnownIndex(random: Random, path: string): string {
  const [empty = "", first = "", ...rest] = path.split("/");
  if (first === "" || first.startsWith("_") || rest.length === 0) return path;
  return [empty, random.pick(pathValues["index"] ?? ["books"]), ...rest].join("/");
}

function mutatePath(random: Random, path: string): string {
  const parts = path.split("/");
  if (random.int(0, 2) > 0 || parts.length < 2) return path;
  const at = random.int(1, parts.length - 1);
  const value = encoded(random, nastyName(random));
  switch (random.int(0, 3)) {
    case 0:
      return [...parts.slice(0, at), value, ...parts.slice(at)].join("/");
    case 1:
      return [...parts.slice(0, at), ...parts.slice(at + 1)].join("/") || "/";
    default:
      return [...parts.slice(0, at), value, ...parts.slice(at + 1)].join("/");
  }
}

function mutateBody(random: Random, { body, isLines }: Seed): readonly Piece[] {
  const { words } = readCorpus();
  if (!isLines) {
    const tree = readTree(body);
    return [tree === undefined ? body : writeTree(mutateTree(random, tree, words))];
  }
  const lines = body.split("\n");
  const at = random.int(0, lines.length - 1);
  const tree = readTree(lines[at] ?? "");
  if (tree !== undefined) lines[at] = writeTree(mutateTree(random, tree, words));
  else lines.splice(at, 1);
  return [lines.join("\n")];
}

function withBody(
  method: string,
  uri: string,
  { body, isLines }: { readonly body: readonly Piece[]; readonly isLines: boolean },
): HttpCase {
  const isEmpty = body.every((piece) => piece === "");
  const type = isLines ? "application/x-ndjson" : "application/json";
  return {
    method,
    uri,
    headers: isEmpty ? {} : { "content-type": type },
    body: isEmpty ? [] : body,
  };
}

const CONTENT_TYPES = [
  ...[
    "application/json",
    "application/yaml",
    "application/cbor",
    "application/smile",
    "application/x-ndjson",
  ],
  ...[
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "",
    "x",
    "application/json; charset=utf-16",
  ],
  ...[
    "application/vnd.opensearch+json",
    "application/json, application/yaml",
    "__proto__",
    "*/*",
    "application/json;;;",
  ],
];

function oddHeader(random: Random): Record<string, string> {
  switch (random.int(0, 4)) {
    case 0:
      return {
        accept: random.pick([...CONTENT_TYPES, "application/yaml", "text/html", "a/b;q=x"]),
      };
    case 1:
      return { "x-opaque-id": random.pick(["a", "a,b", "x".repeat(2000), "é", "__proto__"]) };
    case 2:
      return { "accept-encoding": random.pick(["gzip", "deflate, gzip;q=0", "*", "br", "x"]) };
    default:
      return { "content-type": random.pick(CONTENT_TYPES) };
  }
}
