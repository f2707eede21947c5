/** Scripted requests: asked once, or again and again until the answer is as expected. */
import type { Json } from "@orrery/stdx";
import { differenceOf } from "./expectations.ts";
import type { Operation } from "./history.ts";
import type { RestStep } from "./plan.ts";
import type { Account } from "./story.ts";
import { newClient, type Client, type ClientAnswer, type World } from "./world.ts";

/** What a step needs of the run. */
export interface Stage {
  readonly world: World;
  readonly account: Account;
}

/** One client stands for the script. */
export function createScript(): Client {
  return newClient("script");
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 1000;

/** What is not as expected, in a sentence; `undefined` when all is. */
export async function runStep(
  step: RestStep,
  stage: Stage,
  client: Client,
): Promise<string | undefined> {
  const { world } = stage;
  const deadlineMs = world.nowMs() + (step.untilMs ?? 0);
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    const answer = await askOnce(step, stage, client);
    const difference = differenceOf(step.expect, answer);
    if (difference === undefined) return undefined;
    if (world.nowMs() + waitMs > deadlineMs) return `${step.method} ${step.uri}: ${difference}`;
    await world.sleep(waitMs);
  }
}

async function askOnce(
  step: RestStep,
  { world, account }: Stage,
  client: Client,
): Promise<ClientAnswer | undefined> {
  const nodes = step.node === undefined ? world.running() : await world.select(step.node);
  const inFirst = nodes.filter((node) => world.clusterOf(node) === world.clusterOf(nodes[0] ?? ""));
  if (inFirst.length === 0) return undefined;
  const node = world.random(`step-${client.next}`).pick(inFirst);
  const operation: Operation = {
    kind: "request",
    client: client.name,
    request: client.next,
    node,
    operation: `${step.method} ${step.uri}`,
    invokedMs: world.nowMs(),
    outcome: "unknown",
  };
  account.history.operations.push(operation);
  const answer = await world.request(client, node, {
    method: step.method,
    uri: step.uri,
    ...(step.body === undefined ? {} : { body: textOf(step.body) }),
    timeoutMs: step.timeoutMs,
  });
  if (answer === undefined) return undefined;
  operation.returnedMs = world.nowMs();
  operation.status = answer.status;
  operation.outcome = answer.status < 300 ? "ok" : "failed";
  return answer;
}

/** A list is sent line by line, as bulk requests have it; text as it is. */
function textOf(body: Json): string {
  if (typeof body === "string") return body;
  if (!Array.isArray(body)) return JSON.stringify(body);
  return (body as readonly Json[]).map((line) => `${JSON.stringify(line)}\n`).join("");
}
