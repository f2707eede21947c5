/**
 * Matchers about clusters, for runners that have `expect.extend`: vitest and jest. Matchers about a cluster wait in the cluster's
 * own time, and return a promise.
 */
import { isJsonObject, javaText, type Json, type JsonObject } from "@orrery/stdx";
import type { Answer, TestCluster } from "./test-cluster.ts";

/** Result of a matcher, as vitest and jest expect it. */
export interface MatcherOutcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** `this` of a matcher, which its runner gives. */
interface MatcherContext {
  readonly isNot?: boolean;
}

export interface WaitOptions {
  /**
   * Virtual time within which the claim must hold; default 120 s, as copies of a node that has left are allocated after a minute,
   * and 0 for a negated matcher.
   */
  readonly withinMs?: number;
}

export interface GreenOptions extends WaitOptions {
  /** Index or pattern; default: all indices. */
  readonly index?: string;
}

/** Response of the official client for JavaScript, or an answer of `cluster.request`. */
export type WriteAnswer = Answer | { readonly statusCode: number | null; readonly body: unknown };

/** Signatures of the matchers, with the type that a runner's matchers return. */
export interface ClusterMatchers<R> {
  /** The cluster is green, or becomes so in time. */
  toBeGreen(options?: GreenOptions): Promise<R>;
  /** The cluster has an elected cluster manager, or elects one in time: this node, if one is named. */
  toHaveClusterManager(node?: string, options?: WaitOptions): Promise<R>;
  /** The document exists; with `source`, its source is that. */
  toHaveDocument(index: string, id: string, source?: unknown): Promise<R>;
  /** The answer to a write acknowledges all of it: every item of a bulk, every copy of a shard. */
  toHaveAcknowledged(): R;
}

const PATIENCE_MS = 120_000;
/** Problems that a message lists. */
const MOST_LISTED = 10;

async function toBeGreen(
  this: MatcherContext,
  received: TestCluster,
  { index, withinMs = patienceOf(this) }: GreenOptions = {},
): Promise<MatcherOutcome> {
  const of = index === undefined ? "the cluster" : `[${index}]`;
  const path = index === undefined ? "" : `/${encodeURIComponent(index)}`;
  const times = `timeout=${withinMs}ms&cluster_manager_timeout=${withinMs}ms`;
  const uri = `/_cluster/health${path}?wait_for_status=green&${times}`;
  const { status, body } = await ask(received, uri, withinMs);
  if (status === 200) return { pass: true, message: () => `expected ${of} not to be green` };
  const title = `expected ${of} to be green within ${withinMs} ms: `;
  if (!isJsonObject(body) || body["error"] !== undefined)
    return { pass: false, message: () => title + problemOf({ status, body }) };
  const colour = `it is ${javaText(body["status"])} with ${javaText(body["number_of_nodes"])} of ${received.nodes.length} nodes`;
  const message = listed(title + colour, await missingCopies(received, index));
  return { pass: false, message: () => message };
}

async function toHaveClusterManager(
  this: MatcherContext,
  received: TestCluster,
  node?: string,
  { withinMs = patienceOf(this) }: WaitOptions = {},
): Promise<MatcherOutcome> {
  let elected: string | undefined;
  const isElected = async (): Promise<boolean> => {
    elected = await clusterManagerOf(received);
    return elected !== undefined && (node === undefined || elected === node);
  };
  const pass = await received.until(isElected, withinMs).then(
    () => true,
    () => false,
  );
  const wanted = node === undefined ? "a cluster manager" : `[${node}] as cluster manager`;
  const is = elected === undefined ? "none is elected" : `it is [${elected}]`;
  return {
    pass,
    message: () => `expected the cluster ${pass ? "not " : ""}to have ${wanted}: ${is}`,
  };
}

async function toHaveDocument(
  this: MatcherContext & { readonly equals?: (a: unknown, b: unknown) => boolean },
  received: TestCluster,
  index: string,
  id: string,
  source?: unknown,
): Promise<MatcherOutcome> {
  const uri = `/${encodeURIComponent(index)}/_doc/${encodeURIComponent(id)}`;
  const answer = await ask(received, uri, PATIENCE_MS);
  const name = `[${index}/${id}]`;
  const body = isJsonObject(answer.body) ? answer.body : {};
  if (body["found"] !== true) {
    const why = answer.status === 404 ? problemOf(answer, "it is missing") : problemOf(answer);
    return { pass: false, message: () => `expected the document ${name} to exist: ${why}` };
  }
  if (source === undefined)
    return { pass: true, message: () => `expected the document ${name} not to exist` };
  const found = body["_source"];
  const pass = this.equals?.(found, source) ?? JSON.stringify(found) === JSON.stringify(source);
  const negation = pass ? "not " : "";
  return {
    pass,
    message: () =>
      `expected the source of ${name} ${negation}to be ${JSON.stringify(source)}, and it is ${JSON.stringify(found)}`,
  };
}

function toHaveAcknowledged(received: WriteAnswer): MatcherOutcome {
  const problems = refusals(received);
  if (problems.length === 0)
    return { pass: true, message: () => "expected the write not to be acknowledged" };
  return {
    pass: false,
    message: () => listed("expected the whole write to be acknowledged", problems),
  };
}

/** Matchers for `expect.extend`. */
export const matchers: {
  readonly toBeGreen: typeof toBeGreen;
  readonly toHaveClusterManager: typeof toHaveClusterManager;
  readonly toHaveDocument: typeof toHaveDocument;
  readonly toHaveAcknowledged: typeof toHaveAcknowledged;
} = { toBeGreen, toHaveClusterManager, toHaveDocument, toHaveAcknowledged };

/** A negated matcher does not wait: it is about now. */
function patienceOf({ isNot = false }: MatcherContext): number {
  return isNot ? 0 : PATIENCE_MS;
}

/** Time for the answer itself. */
const SLACK_MS = 60_000;

async function ask(cluster: TestCluster, uri: string, withinMs: number): Promise<Answer> {
  if (typeof (cluster as Partial<TestCluster>).request !== "function")
    throw new TypeError("expected the cluster of a test: this matcher is for no other value");
  return cluster.request("GET", uri, { timeoutMs: withinMs + SLACK_MS });
}

/** Copies of shards that have not started, each with the reason. */
async function missingCopies(
  cluster: TestCluster,
  index: string | undefined,
): Promise<readonly string[]> {
  const path = index === undefined ? "" : `/${encodeURIComponent(index)}`;
  const columns = "index,shard,prirep,state,unassigned.reason";
  const { body } = await ask(cluster, `/_cat/shards${path}?format=json&h=${columns}`, PATIENCE_MS);
  if (!Array.isArray(body)) return [];
  return body.filter(isJsonObject).flatMap((copy) => {
    if (copy["state"] === "STARTED") return [];
    const role = copy["prirep"] === "p" ? "primary" : "replica";
    const reason = copy["unassigned.reason"] ?? "";
    const name = `${javaText(copy["index"])}[${javaText(copy["shard"])}]`;
    return [`${name} ${role} is ${javaText(copy["state"])} ${javaText(reason)}`.trimEnd()];
  });
}

async function clusterManagerOf(cluster: TestCluster): Promise<string | undefined> {
  const { body } = await ask(cluster, "/_cat/cluster_manager?format=json&h=node", PATIENCE_MS);
  const [row] = Array.isArray(body) ? body.filter(isJsonObject) : [];
  return typeof row?.["node"] === "string" && row["node"] !== "-" ? row["node"] : undefined;
}

/** Reasons why an answer does not acknowledge the whole of a write. */
function refusals(received: WriteAnswer): readonly string[] {
  const status = "statusCode" in received ? (received.statusCode ?? 0) : received.status;
  const body = received.body as Json;
  if (status < 200 || status > 299) return [problemOf({ status, body })];
  if (!isJsonObject(body) || !isWrite(body)) return ["this is not the answer to a write"];
  const { acknowledged, shards_acknowledged: copies, items, failures } = body;
  return [
    ...(acknowledged === false ? ["[acknowledged] is false"] : []),
    ...(copies === false ? ["[shards_acknowledged] is false"] : []),
    ...(Array.isArray(items) ? items.filter(isJsonObject).flatMap(refusalsOfItem) : []),
    ...(Array.isArray(failures) ? failures.map((failure) => JSON.stringify(failure)) : []),
    ...failedCopies(body, ""),
  ];
}

function isWrite(body: JsonObject): boolean {
  const members = ["acknowledged", "result", "items", "total", "_shards"];
  return !Object.hasOwn(body, "hits") && members.some((member) => Object.hasOwn(body, member));
}

function refusalsOfItem(item: JsonObject): readonly string[] {
  return Object.entries(item).flatMap(([action, outcome]) => {
    if (!isJsonObject(outcome)) return [];
    const name = `${action} [${javaText(outcome["_index"])}/${javaText(outcome["_id"])}]`;
    if (outcome["error"] === undefined) return failedCopies(outcome, `${name}: `);
    return [`${name}: ${problemOf({ status: Number(outcome["status"]), body: outcome })}`];
  });
}

function failedCopies({ _shards: copies }: JsonObject, prefix: string): readonly string[] {
  const failed = isJsonObject(copies) ? Number(copies["failed"]) : 0;
  return failed > 0 ? [`${prefix}${failed} copies of its shard failed`] : [];
}

/** One sentence about an answer that is an error. */
function problemOf({ status, body }: Answer, otherwise = ""): string {
  const error = isJsonObject(body) ? body["error"] : undefined;
  if (!isJsonObject(error)) return otherwise === "" ? `the status is ${status}` : otherwise;
  return `${status} ${javaText(error["type"])}: ${javaText(error["reason"])}`;
}

function listed(title: string, problems: readonly string[]): string {
  const more = problems.length - MOST_LISTED;
  const lines = problems.slice(0, MOST_LISTED).map((problem) => `  ${problem}`);
  return [title, ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}
