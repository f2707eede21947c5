/** Clients that send REST requests, drawn by weight from templates with placeholders for a document and a value. */
import { isJsonObject, lookup, type Json, type Random } from "@orrery/stdx";
import { contentOf, type Operation, type OperationKind } from "../history.ts";
import { integer, json, may, must, object, or, requestLine, someOf, type Keys } from "../shape.ts";
import {
  anyNodeOf,
  ask,
  clientKeys,
  drawClients,
  isDocumentMissing,
  judge,
  rememberPosition,
  runClients,
} from "./clients.ts";
import { createChooser, keyChoiceKeys, type KeyChoice } from "./keys.ts";
import type { Clients, WorkloadRow } from "./workload.ts";

interface Template {
  /** `METHOD /path`. */
  readonly request: string;
  readonly body?: Json;
  readonly weight: number;
}

export const templateKeys: Keys<Template> = {
  request: must(requestLine, "METHOD /path"),
  body: may(json, "body of the request"),
  weight: or(integer(1, 1000), 1, "weight of the request among the others"),
};

export interface Requests extends Clients, KeyChoice {
  readonly kind: "requests";
  readonly mix: readonly Template[];
}

export const requests: WorkloadRow<Requests> = {
  says: "Sends REST requests, each drawn by its weight. In paths and bodies `{key}` is a document, `{value}` a new value, `{client}` the number of the client.",
  keys: {
    mix: must(someOf(object(templateKeys, "request")), "requests to draw from"),
    ...keyChoiceKeys,
    ...clientKeys,
  },
  writes: ({ mix }) => mix.some(({ request }) => !/^(?:GET|HEAD) /.test(request)),
  draw: (scene) => {
    const { name } = scene.index();
    const written = { value: "{value}" };
    const updated = { doc: written, doc_as_upsert: scene.chance(500) };
    const all = [
      { request: `GET /${name}/_doc/{key}`, weight: 2 },
      { request: `PUT /${name}/_doc/{key}`, body: written, weight: 3 },
      { request: `DELETE /${name}/_doc/{key}`, weight: 1 },
      { request: `PUT /${name}/_create/{key}`, body: written, weight: 1 },
      { request: `POST /${name}/_doc`, body: written, weight: 2 },
      { request: `POST /${name}/_update/{key}`, body: updated, weight: 1 },
      {
        request: `PUT /${name}/_doc/{key}?version={value}&version_type=external`,
        body: written,
        weight: 1,
      },
      { request: `POST /${name}/_search`, body: { size: 5 }, weight: 1 },
      { request: `POST /${name}/_refresh`, weight: 1 },
      { request: `GET /${name}/_stats`, weight: 1 },
      { request: "GET /_cluster/health", weight: 1 },
      { request: "GET /_cat/shards", weight: 1 },
    ];
    const mix = scene.random.shuffle(all).slice(0, scene.random.int(2, all.length));
    return {
      kind: "requests",
      mix,
      keys: scene.ms(2, 64),
      distribution: scene.random.pick(["uniform", "zipf"] as const),
      ...drawClients(scene),
    };
  },
  run: (workload, run) => {
    const choose = createChooser(workload);
    return runClients(workload, run, async (worker, turn) => {
      const { client, random } = worker;
      const template = drawn(workload.mix, random);
      const key = `key-${choose(random, turn * workload.clients + worker.number)}`;
      const values = { key, value: random.int(0, 1_000_000), client: client.name };
      const [method = "GET", path = "/"] = template.request.split(" ");
      const uri = filled(path, values);
      const body = template.body === undefined ? undefined : filledJson(template.body, values);
      const planned = planOf(method, uri, body);
      const request = {
        method,
        uri,
        timeoutMs: workload.timeoutMs,
        ...(body === undefined ? {} : { body: textOf(body) }),
      };
      const node = anyNodeOf(workload, worker);
      const { answer, operations } = await ask(worker, node, request, [planned]);
      const [operation] = operations;
      if (operation === undefined || answer === undefined) return;
      judge(operation, answer);
      rememberPosition(operation, answer.body);
      if (operation.kind === "get" && operation.outcome === "ok")
        operation.read = isDocumentMissing(answer) ? null : (sourceOf(answer.body) ?? null);
    });
  },
};

function sourceOf(body: Json): Json | undefined {
  return isJsonObject(body) ? contentOf(body["_source"]) : undefined;
}

function drawn(mix: readonly Template[], random: Random): Template {
  const sum = mix.reduce((weight, one) => weight + one.weight, 0);
  let left = random.int(1, sum);
  const found = mix.find(({ weight }) => {
    left -= weight;
    return left <= 0;
  });
  if (found === undefined) throw new RangeError("a mix of requests must not be empty");
  return found;
}

type Values = Readonly<Record<string, string | number>>;

function filled(given: string, values: Values): string {
  return given.replaceAll(/\{(key|value|client)\}/g, (_all, name: string) =>
    String(lookup(values, name)),
  );
}

/** Body with placeholders replaced; a text that consists of one placeholder becomes its value, also a number. */
function filledJson(given: Json, values: Values): Json {
  if (typeof given === "string") {
    const alone = /^\{(key|value|client)\}$/.exec(given);
    return alone ? (lookup(values, alone[1] ?? "") ?? given) : filled(given, values);
  }
  if (Array.isArray(given))
    return (given as readonly Json[]).map((item) => filledJson(item, values));
  if (!isJsonObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, filledJson(value ?? null, values)]),
  );
}

const documentPath = /^\/([^/_][^/]*)\/_(doc|create|update)\/([^/?]+)(?:\?.*)?$/;

/** Operation of a request: one about a document is an operation on it. */
function planOf(
  method: string,
  uri: string,
  body: Json | undefined,
): Pick<Operation, "kind" | "index" | "document" | "operation" | "wrote"> {
  const parts = documentPath.exec(uri);
  const operation = `${method} ${uri}`;
  if (parts === null) return { kind: "request", operation };
  const [, index = "", what = "", document = ""] = parts;
  const kind = kindOf(method, what);
  if (kind === "request") return { kind, index, document, operation };
  const wrote = kind === "update" ? updatedContent(body) : writtenContent(kind, body);
  const isSaid = kind === "update" ? { operation } : {};
  return { kind, index, document, ...isSaid, ...(wrote === undefined ? {} : { wrote }) };
}

function writtenContent(kind: OperationKind, body: Json | undefined): Json | undefined {
  return kind === "index" || kind === "create" ? contentOf(body) : undefined;
}

/**
 * Written content of an update: a partial document with `value` replaces it; the result of any other update depends on
 * the previous version.
 */
function updatedContent(body: Json | undefined): Json | undefined {
  if (!isJsonObject(body) || !isJsonObject(body["doc"])) return undefined;
  const { script, upsert, doc } = body;
  if (script !== undefined || upsert !== undefined || !Object.hasOwn(doc, "value"))
    return undefined;
  return contentOf(doc);
}

function kindOf(method: string, what: string): OperationKind {
  if (what === "create") return "create";
  if (what === "update") return "update";
  if (method === "GET") return "get";
  if (method === "DELETE") return "delete";
  return method === "PUT" || method === "POST" ? "index" : "request";
}

function textOf(body: Json): string {
  if (!Array.isArray(body)) return JSON.stringify(body);
  return (body as readonly Json[]).map((line) => `${JSON.stringify(line)}\n`).join("");
}
