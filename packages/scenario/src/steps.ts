/** Scripted requests: sent once, or repeated until the answer is as expected. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { differenceOf, valueAt } from "./expectations.ts";
import type { Operation } from "./history.ts";
import type { RestStep } from "./plan.ts";
import type { RunResult } from "./execute-plan.ts";
import { fillPlaceholders } from "./placeholders.ts";
import { newClient, type Client, type ClientAnswer, type World } from "./world.ts";

/** Context of a step. */
export interface StepContext {
  readonly world: World;
  readonly result: RunResult;
}

/** State of the script: its client, and the values that entries saved. */
export interface Script {
  readonly client: Client;
  readonly values: Map<string, Json>;
}

export function createScript(): Script {
  return { client: newClient("script"), values: new Map() };
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/**
 * Sends the request of a step. Returns the difference between answer and expectation, in a sentence; `undefined` if
 * there is none.
 */
export async function runStep(
  written: RestStep,
  context: StepContext,
  script: Script,
): Promise<string | undefined> {
  const { world } = context;
  const step = await filledIn(written, world, script);
  const deadlineMs = world.nowMs() + (step.untilMs ?? 0);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const { asked, answer } = await askOnce(step, context, script.client);
    const difference =
      answer === undefined ? `there was no answer: ${asked}` : differenceOf(step.expect, answer);
    if (difference === undefined) {
      for (const [name, path] of Object.entries(step.save ?? {}))
        script.values.set(name, valueAt(answer?.body ?? null, path) ?? null);
      return undefined;
    }
    if (world.nowMs() + waitMs > deadlineMs)
      return step.attempt === true ? undefined : `${step.method} ${step.uri}: ${difference}`;
    await world.sleep(waitMs);
  }
}

async function askOnce(
  step: RestStep,
  { world, result }: StepContext,
  client: Client,
): Promise<{ readonly asked: string; readonly answer?: ClientAnswer }> {
  const nodes = step.node === undefined ? world.running() : await world.select(step.node);
  const inFirst = nodes.filter((node) => world.clusterOf(node) === world.clusterOf(nodes[0] ?? ""));
  if (inFirst.length === 0) return { asked: "no node was there to be asked" };
  const node = world.random(`step-${client.next}`).pick(inFirst);
  const operation: Operation = {
    kind: "request",
    client: client.name,
    request: client.next,
    node,
    operation: `${step.method} ${step.uri}`,
    invokedMs: world.nowMs(),
    timeoutMs: step.timeoutMs,
    outcome: "unknown",
  };
  result.history.operations.push(operation);
  const answer = await world.request(client, node, {
    method: step.method,
    uri: fillPlaceholders(step.uri, world),
    ...(step.body === undefined ? {} : { body: fillPlaceholders(textOf(step.body), world) }),
    timeoutMs: step.timeoutMs,
  });
  const asked = `[${node}] was asked`;
  if (answer === undefined) {
    operation.gaveUpMs = world.nowMs();
    return { asked };
  }
  operation.returnedMs = world.nowMs();
  operation.status = answer.status;
  operation.outcome = answer.status < 300 ? "ok" : "failed";
  return { asked, answer };
}

/** Body as text: a list becomes one line per item, as in bulk requests; a text stays as it is. */
function textOf(body: Json): string {
  if (typeof body === "string") return body;
  if (!Array.isArray(body)) return JSON.stringify(body);
  return (body as readonly Json[]).map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Step with its placeholders in braces replaced. */
async function filledIn(step: RestStep, world: World, script: Script): Promise<RestStep> {
  const text = JSON.stringify([step.uri, step.body ?? null, step.expect]);
  const values = new Map(script.values);
  for (const [, node = ""] of text.matchAll(/\{address:([^}]+)\}/g))
    values.set(`address:${node}`, await addressOf(node, world, script.client));
  if (values.size === 0) return step;
  const { body } = step;
  return {
    ...step,
    uri: filled(step.uri, values),
    ...(body === undefined ? {} : { body: filledJson(body, values) }),
    expect: filledJson(step.expect as Json, values) as RestStep["expect"],
  };
}

/** Transport address of a node, as its own answer has it. */
async function addressOf(node: string, world: World, client: Client): Promise<Json> {
  const request = { method: "GET", uri: "/_nodes/_local", timeoutMs: 30_000 };
  const answer = await world.request(client, node, request);
  const nodes = isJsonObject(answer?.body) ? answer.body["nodes"] : undefined;
  const [info] = isJsonObject(nodes) ? Object.values(nodes) : [];
  return (isJsonObject(info) ? info["transport_address"] : undefined) ?? "";
}

function filled(given: string, values: ReadonlyMap<string, Json>): string {
  return given.replaceAll(/\{([\w:-]+)\}/g, (all, name: string) => {
    const value = values.get(name);
    return value === undefined ? all : textOf(value);
  });
}

/** Value with placeholders replaced; a text that consists of one placeholder becomes the value itself, of any type. */
function filledJson(given: Json, values: ReadonlyMap<string, Json>): Json {
  if (typeof given === "string") {
    const [, name = ""] = /^\{([\w:-]+)\}$/.exec(given) ?? [];
    return values.get(name) ?? filled(given, values);
  }
  if (Array.isArray(given))
    return (given as readonly Json[]).map((item) => filledJson(item, values));
  if (!isJsonObject(given)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, filledJson(value ?? null, values)]),
  );
}
