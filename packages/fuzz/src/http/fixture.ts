/** Fixture of a session: indices with documents, aliases, templates, a repository, open contexts. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";
import { documents, mapping } from "./bodies.ts";
import { readTree } from "../json/json-text.ts";
import type { HttpCase } from "./request.ts";

export interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Sends a request; `undefined` if there is no response. */
export type Ask = (request: HttpCase) => Promise<Answered | undefined>;

export interface FixtureOptions {
  readonly nodes: number;
  readonly repositories: string;
  /** Number of the renewal of a world, which makes the name of its repository unique. */
  readonly round?: number;
  /** Receives the ids that requests may refer to. */
  readonly known: Map<string, string>;
}

/** Error of a fixture that could not be created. */
export class FixtureError extends Error {}

/** Creates the fixture; throws `FixtureError` if a request does not succeed. */
export async function createFixture(ask: Ask, options: FixtureOptions): Promise<void> {
  const { repositories, known } = options;
  known.set("REPO", repositories);
  for (const [method, uri, body] of stepsFor(options)) {
    const answer = await ask(requestOf(method, uri, body));
    if (answer === undefined || answer.status >= 300)
      throw new FixtureError(`${method} ${uri}: ${answer?.text ?? "no answer"}`);
  }
  const field = async (uri: string, name: string): Promise<string> => {
    const tree = readTree((await ask(requestOf("POST", uri)))?.text ?? "");
    return isJsonObject(tree) ? String(lookup(tree, name)) : "";
  };
  known.set("scroll", await field("/books/_search?scroll=10m&size=1", "_scroll_id"));
  known.set("pit", await field("/books/_search/point_in_time?keep_alive=10m", "pit_id"));
}

type Step = readonly [method: string, uri: string, body?: Json];

function stepsFor({ nodes, repositories, round = 0 }: FixtureOptions): readonly Step[] {
  const location = round === 0 ? `${repositories}/backup` : `${repositories}/backup-${round}`;
  const replicas = nodes > 1 ? 1 : 0;
  const part = { template: { mappings: { properties: { y: { type: "ip" } } } } };
  return [
    [
      "PUT",
      "/books",
      { settings: { number_of_shards: 2, number_of_replicas: replicas }, mappings: mapping },
    ],
    ["PUT", "/other", { settings: { number_of_replicas: 0 } }],
    ["PUT", "/untouched", { settings: { number_of_replicas: replicas } }],
    ...documents.map((one, i): Step => ["PUT", `/books/_doc/${i + 1}?refresh=true`, one]),
    ["PUT", "/untouched/_doc/1?refresh=true", { a: 1 }],
    ["PUT", "/books/_alias/library"],
    ["PUT", "/_component_template/part", part],
    ["PUT", "/_index_template/tmpl", { index_patterns: ["tmpl-*"], composed_of: ["part"] }],
    ["PUT", "/_index_template/logs", { index_patterns: ["logs-*"], data_stream: {}, priority: 5 }],
    ["PUT", "/_data_stream/logs-x"],
    ["PUT", "/_snapshot/backup", { type: "fs", settings: { location } }],
    ["PUT", "/_snapshot/backup/snap?wait_for_completion=true", { indices: "books" }],
  ];
}

export function requestOf(method: string, uri: string, body?: Json): HttpCase {
  const isEmpty = body === undefined;
  return {
    method,
    uri,
    headers: isEmpty ? {} : { "content-type": "application/json" },
    body: isEmpty ? [] : [JSON.stringify(body)],
  };
}
