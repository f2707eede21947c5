/**
 * Sequences of the public YAML test suite (`shared/conformance/yaml-rest`), if it lies beside the project: the requests
 * of one test with those of its set-up. Assertions of the tests are ignored: arrangements are compared with each other.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, lookup, type Json, type JsonObject, type Random } from "@orrery/stdx";
import { parseAllDocuments } from "yaml";
import type { Asked } from "../request.ts";
import { tellsOfPlacement } from "./placement.ts";
import { sharedFolder } from "./shared-folder.ts";

const folder = sharedFolder("conformance/yaml-rest");

export function pickSuiteCase(random: Random): readonly Asked[] | undefined {
  if (!existsSync(folder)) return undefined;
  const tests = readSuiteFile(random.pick(suiteFiles()));
  return tests.length === 0 ? undefined : random.pick(tests);
}

/** Files whose answers depend on generated ids: the order of shards is that of the ids' routing. */
const byChance: ReadonlySet<string> = new Set(["search/95_search_after_shard_doc.yml"]);

export function suiteFiles(): readonly string[] {
  const files = readdirSync(join(folder, "test"), { recursive: true, encoding: "utf8" });
  return files.filter((name) => name.endsWith(".yml") && !byChance.has(name)).toSorted();
}

/**
 * Tests of a file of the product's REST test suite, each as its requests. YAML documents that do not parse are skipped;
 * the suite has some.
 */
export function readSuiteFile(file: string): readonly (readonly Asked[])[] {
  const documents = parseAllDocuments(readFileSync(join(folder, "test", file), "utf8"), {
    schema: "yaml-1.1",
    uniqueKeys: false,
    logLevel: "silent",
  });
  if (!Array.isArray(documents)) return [];
  const sections = documents.flatMap((document) =>
    document.errors.length > 0 ? [] : Object.entries((document.toJS() ?? {}) as JsonObject),
  );
  const stepsOf = (name: string): readonly Json[] =>
    sections.flatMap(([title, steps]) => (title === name && Array.isArray(steps) ? steps : []));
  return sections
    .filter(([name]) => name !== "setup" && name !== "teardown")
    .map(([name]) =>
      requestsOf(file, [...stepsOf("setup"), ...stepsOf(name), ...stepsOf("teardown")]),
    );
}

function requestsOf(file: string, steps: readonly Json[]): readonly Asked[] {
  const requests: Asked[] = [];
  for (const step of steps) {
    if (!isJsonObject(step)) continue;
    const asked = askedOf(file, lookup(step, "do"));
    if (asked !== undefined) requests.push(asked);
    const last = requests.at(-1);
    const kept = keptBy(lookup(step, "set"));
    if (last !== undefined && Object.keys(kept).length > 0)
      requests.splice(-1, 1, { ...last, keep: { ...last.keep, ...kept } });
  }
  return requests.filter(({ uri }) => !tellsOfPlacement(uri));
}

/** Names with paths; the suite writes paths with names. */
function keptBy(set: Json | undefined): Readonly<Record<string, string>> {
  if (!isJsonObject(set)) return {};
  return Object.fromEntries(Object.entries(set).map(([path, name]) => [String(name), path]));
}

/** Request of a call; `undefined` if no client would send it, or this reader does not support it. */
function askedOf(file: string, call: Json | undefined): Asked | undefined {
  if (!isJsonObject(call) || lookup(call, "catch") === "param") return undefined;
  const named = Object.entries(call).find(([name]) => !beside.has(name));
  if (named === undefined) return undefined;
  const [name, args] = named;
  const target = targetOf(name, isJsonObject(args) ? args : {});
  if (target === undefined) return undefined;
  const headers = lookup(call, "headers");
  return {
    kind: `suite ${file}`,
    ...target,
    ...(isJsonObject(headers) ? { headers: textsOf(headers) } : {}),
  };
}

/** Keys that may accompany the name of an operation. */
const beside: ReadonlySet<string> = new Set([
  ...["catch", "headers", "warnings", "allowed_warnings", "node_selector", "warnings_regex"],
]);

function textsOf(headers: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

interface Path {
  readonly path: string;
  readonly methods: readonly string[];
  readonly parts?: JsonObject;
}

/** Path with the most parts among those whose parts are all given, as clients choose it. */
function targetOf(
  name: string,
  args: JsonObject,
): Pick<Asked, "method" | "uri" | "body"> | undefined {
  const api = join(folder, "api", `${name}.json`);
  if (!existsSync(api)) return undefined;
  const { url } = Object.values(JSON.parse(readFileSync(api, "utf8")) as object)[0] as {
    readonly url: { readonly paths: readonly Path[] };
  };
  const given = Object.entries(args).filter(
    ([key, value]) => value !== null && key !== "body" && key !== "ignore",
  );
  const partsOf = ({ parts = {} }: Path): readonly string[] => Object.keys(parts);
  const path = url.paths
    .filter((one) => partsOf(one).every((part) => given.some(([key]) => key === part)))
    .toSorted((a, b) => partsOf(b).length - partsOf(a).length)[0];
  if (path === undefined) return undefined;
  const parts = partsOf(path);
  let uri = path.path;
  const query: string[] = [];
  for (const [key, value] of given) {
    const text = encode([value].flat().map(String).join(","));
    if (parts.includes(key)) uri = uri.replace(`{${key}}`, () => text);
    else query.push(`${key}=${text}`);
  }
  const body = bodyOf(lookup(args, "body"));
  const method = body !== undefined && path.methods.includes("POST") ? "POST" : path.methods[0];
  return {
    method: method ?? "GET",
    uri: query.length === 0 ? uri : `${uri}?${query.join("&")}`,
    ...(body === undefined ? {} : { body: placesOf(body) }),
  };
}

function encode(text: string): string {
  return placesOf(text)
    .split(/(\$\{\w+\})/)
    .map((part) =>
      /^\$\{\w+\}$/.test(part) ? part : encodeURIComponent(part).replaceAll("%2C", ","),
    )
    .join("");
}

/** Text with `$name` of the suite written as `${name}`. */
function placesOf(text: string): string {
  return text.replaceAll(/\$(?!\{)(\w+)/g, (_, name: string) => `\${${name}}`);
}

/** Body: one document as JSON, several as lines. */
function bodyOf(body: Json | undefined): string | undefined {
  if (body === undefined || body === null) return undefined;
  const parts = [body].flat();
  const texts = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  if (parts.length > 1)
    return texts.map((text) => (text.endsWith("\n") ? text : `${text}\n`)).join("");
  return texts[0];
}
