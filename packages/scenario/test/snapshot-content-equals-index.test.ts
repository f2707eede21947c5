/** The checker of what snapshots hold: it restores what was kept, and finds what a history says should be otherwise. */
import { expect, test } from "vitest";
import type { Finding } from "../src/checkers/checker.ts";
import { snapshotContentEqualsIndex } from "../src/checkers/snapshot-content-equals-index.ts";
import type { Operation } from "../src/history.ts";
import { parseScenario } from "../src/index.ts";
import { newClient } from "../src/world.ts";
import { acknowledged, startTestWorld } from "./world.ts";

const plan = parseScenario(
  "test.yaml",
  `name: test/snapshots
claim: Used by tests.
clusters: { main: { nodes: 2, settings: { path.repo: /repositories } } }
indices: { books: { shards: 1, replicas: 1 } }
phases: { faults: 1s, converge: 60s }
checkers: [snapshot-content-equals-index]
`,
);

/** Five documents, a snapshot of them, and a history with these operations besides. */
async function judge(...planted: readonly Operation[]): Promise<Finding> {
  const { world, history, tell } = await startTestWorld(1, plan);
  const client = newClient("test");
  const send = async (method: string, uri: string, body?: string): Promise<void> => {
    const sent = body === undefined ? {} : { body };
    const answer = await world.request(client, "node-1", {
      method,
      uri,
      ...sent,
      timeoutMs: 30_000,
    });
    if (answer === undefined || answer.status >= 300) throw new Error(JSON.stringify(answer));
  };
  return tell(async () => {
    await send("PUT", "/_snapshot/safe", '{"type":"fs","settings":{"location":"safe"}}');
    const uri = "/_snapshot/safe/first?wait_for_completion=true";
    await send("PUT", uri);
    const { document: _, index: __, wrote: ___, ...told } = acknowledged("", 0);
    history.operations.push(
      { ...told, kind: "request", operation: `PUT ${uri}`, invokedMs: 10, returnedMs: 20 },
      ...planted,
    );
    return snapshotContentEqualsIndex.finish?.(world, plan, history);
  });
}

test("a snapshot holds what was there", async () => {
  expect(await judge()).toBeUndefined();
});

test("a document that was acknowledged before and is not in it is found", async () => {
  expect(await judge(acknowledged("doc-6", 6))).toBe(
    "the snapshot [safe/first] of [books]: [doc-6] is not in it, and was acknowledged before it was asked for",
  );
});

test("a document that came later need not be in it", async () => {
  const later = { ...acknowledged("doc-6", 6), invokedMs: 15, returnedMs: 16 };

  expect(await judge(later)).toBeUndefined();
});
