/**
 * Oracle: the product beside a session. It receives the same requests on the same fixture, and where Orrery responds
 * with an internal error it must do so, too.
 *
 * All data of the product is removed when a session opens.
 */
import type { Finding } from "../target.ts";
import { pattern } from "../words.ts";
import { exchange } from "./exchange.ts";
import { createFixture, requestOf, type Answered } from "./fixture.ts";
import type { HttpCase } from "./request.ts";
import { writeRequest } from "./wire.ts";

export interface Oracle {
  /** Difference between Orrery's response and the product's; `undefined` if it is acceptable. */
  compare(given: HttpCase, ours: Answered): Promise<Finding | undefined>;
}

/** Repositories below the product's `path.repo`. */
const REPOSITORIES = "/tmp/opensearch/repo";
const PATIENCE_MS = 20_000;

/** Requests whose effect on the product cannot be reverted. */
const LASTING = /decommission|voting_config|_plugins|_cluster\/settings|_cluster\/routing/;

const WIPE: readonly (readonly [method: string, uri: string])[] = [
  ["DELETE", "/_data_stream/*"],
  ["DELETE", "/*?expand_wildcards=all"],
  ["DELETE", "/_index_template/*"],
  ["DELETE", "/_component_template/*"],
  ["DELETE", "/_template/*"],
  ["DELETE", "/_snapshot/backup/snap"],
  ["DELETE", "/_snapshot/*"],
  ["DELETE", "/_search/scroll/_all"],
  ["DELETE", "/_search/point_in_time/_all"],
];

export async function openOracle(url: string, nodes: number): Promise<Oracle> {
  const port = Number(new URL(url).port);
  const known = new Map<string, string>();
  const ask = async (request: HttpCase): Promise<Answered | undefined> => {
    const isHead = request.method === "HEAD";
    const sent = writeRequest(request, known);
    const answer = await exchange({ port, isHead, timeoutMs: PATIENCE_MS, ...sent });
    if (typeof answer === "string") return undefined;
    return { status: answer.status, text: Buffer.from(answer.body).toString() };
  };
  for (const [method, uri] of WIPE) await ask(requestOf(method, uri));
  await createFixture(ask, { nodes, repositories: REPOSITORIES, known });
  return {
    compare: async (given, ours) => {
      if (LASTING.test(given.uri)) return undefined;
      const theirs = await ask(given);
      const isOurs = ours.status >= 500 && ours.status !== 503;
      if (!isOurs || theirs === undefined || theirs.status >= 500) return undefined;
      const reason = /"reason" ?: ?"((?:[^"\\]|\\.)*)"/.exec(ours.text)?.[1] ?? ours.text;
      return {
        cause: `oracle: ${ours.status} for ${theirs.status}: ${pattern(reason)}`,
        detail: `${ours.text.slice(0, 250)} ... the product: ${theirs.text.slice(0, 250)}`,
      };
    },
  };
}
