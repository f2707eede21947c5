/**
 * Execution of a sequence of requests: one client sends them one after the other, each to the next node. Between two
 * requests every node has applied the same state, and primaries have started; replicas may still be initializing.
 */
import type { Json } from "@orrery/stdx";
import { readTree } from "../json/json-text.ts";
import { filled } from "../http/request.ts";
import type { Answer, Asked } from "./request.ts";

export interface ClusterUnderTest {
  readonly nodes: number;
  /** Sends a request to the node with this number, from 0. */
  ask(node: number, asked: Asked): Promise<Answer>;
  settle(): Promise<void>;
  /** True when the time of the case is exhausted. */
  isOver(): boolean;
}

/**
 * Sends requests in order, as far as time allows; returns the answers. In an answer, a value that was saved from an
 * earlier one is replaced by its name.
 */
export async function play(
  cluster: ClusterUnderTest,
  requests: readonly Asked[],
): Promise<readonly Answer[]> {
  const kept = new Map<string, string>();
  const answers: Answer[] = [];
  for (const [i, asked] of requests.entries()) {
    if (cluster.isOver()) break;
    const { uri, body } = asked;
    const answer = await cluster.ask(i % cluster.nodes, {
      ...asked,
      uri: filled(uri, kept),
      ...(body === undefined ? {} : { body: filled(body, kept) }),
    });
    for (const [name, path] of Object.entries(asked.keep ?? {})) {
      const value = valueAt(readTree(answer.text), path);
      if (value !== undefined) kept.set(name, value);
    }
    answers.push({ ...answer, text: named(answer.text, kept) });
    await cluster.settle();
  }
  return answers;
}

function valueAt(tree: Json | undefined, path: string): string | undefined {
  let value: unknown = tree;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Array.isArray(value) ? value[Number(name)] : new Map(Object.entries(value)).get(name);
  }
  return typeof value === "object" || value === undefined ? undefined : String(value);
}

/** Minimum length of a replaced value: shorter ones, such as numbers, would match by chance. */
const SHORTEST_NAMED = 6;

function named(text: string, kept: ReadonlyMap<string, string>): string {
  let told = text;
  for (const [name, value] of kept)
    if (value.length >= SHORTEST_NAMED) told = told.replaceAll(value, () => `\${${name}}`);
  return told;
}
