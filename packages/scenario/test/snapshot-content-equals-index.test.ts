/** The checker of what snapshots hold: it restores what was kept, and finds what a history says should be otherwise. */
import { isJsonObject, type Json, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/checkers/checker.ts";
import { snapshotContentEqualsIndex } from "../src/checkers/snapshot-content-equals-index.ts";
import type { Operation } from "../src/history.ts";
import { parseScenario } from "../src/index.ts";
import { newClient, type ClientAnswer, type World } from "../src/world.ts";
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

/** Changes an answer on its way to the checker. */
type Change = (answer: ClientAnswer, uri: string) => ClientAnswer;

/** Five documents, a snapshot of them, and a history with these operations besides. */
function judge(...planted: readonly Operation[]): Promise<Finding> {
  return judgeTampered((answer) => answer, planted);
}

async function judgeTampered(
  change: Change,
  planted: readonly Operation[] = [],
  settings: JsonObject = {},
): Promise<Finding> {
  const { world, history, tell } = await startTestWorld(1, plan);
  const tampered: World = {
    ...world,
    request: async (client, node, request) => {
      const answer = await world.request(client, node, request);
      return answer && change(answer, request.uri);
    },
  };
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
    await send("PUT", "/books/_settings", JSON.stringify({ "index.priority": 1, ...settings }));
    const uri = "/_snapshot/safe/first?wait_for_completion=true";
    await send("PUT", uri);
    const { document: _, index: __, wrote: ___, ...told } = acknowledged("", 0);
    history.operations.push(
      { ...told, kind: "request", operation: `PUT ${uri}`, invokedMs: 10, returnedMs: 20 },
      ...planted,
    );
    return snapshotContentEqualsIndex.finish?.(tampered, plan, history);
  });
}

describe("snapshot-content-equals-index", () => {
  test("holds for a snapshot of what was there", async () => {
    expect(await judge()).toBeUndefined();
  });

  test("a snapshot is restored whatever kept copies of its index away from nodes when it was taken", async () => {
    const settings = {
      "index.routing.allocation.exclude._name": "node-1,node-2",
      "index.blocks.write": true,
    };

    expect(await judgeTampered((answer) => answer, [], settings)).toBeUndefined();
  });

  test("finds a document that was acknowledged before and is not in the snapshot", async () => {
    expect(await judge(acknowledged("doc-6", 6))).toBe(
      "the snapshot [safe/first] of [books]: [doc-6] is not in it, and was acknowledged before it was asked for",
    );
  });

  test("a document that came later need not be in it", async () => {
    const later = { ...acknowledged("doc-6", 6), invokedMs: 15, returnedMs: 16 };

    expect(await judge(later)).toBeUndefined();
  });

  test("a document that was deleted and written again may be as either write left it", async () => {
    const again = { ...acknowledged("doc-1", 11), seqNo: 9, invokedMs: 30, returnedMs: 31 };

    expect(await judge(again)).toBeUndefined();
  });

  /** Instead of what the restored index holds. */
  function withHits(change: (hits: readonly Json[]) => readonly Json[]): Change {
    return (answer, uri) => {
      const found = isJsonObject(answer.body) ? answer.body["hits"] : undefined;
      const isMeant = uri.startsWith("/books-as-restored/_search") && isJsonObject(found);
      if (!isMeant || !Array.isArray(found["hits"])) return answer;
      return {
        ...answer,
        body: { hits: { hits: change(found["hits"] as readonly Json[]) as Json } },
      };
    };
  }

  test("finds a document that is not restored", async () => {
    expect(await judgeTampered(withHits((hits) => hits.slice(1)))).toBe(
      "the snapshot [safe/first] of [books]: [doc-1] is not in it, and was acknowledged before it was asked for",
    );
  });

  test("finds a document that is restored with another content", async () => {
    const changed = withHits((hits) =>
      hits.map((hit) => (isJsonObject(hit) ? { ...hit, _source: { value: 77 } } : hit)),
    );

    expect(await judgeTampered(changed)).toBe(
      "the snapshot [safe/first] of [books]: [doc-1] is 77 in it, and nobody wrote that",
    );
  });

  test("finds a document in the snapshot that was written after its end", async () => {
    const later = { ...acknowledged("doc-6", 6), invokedMs: 25, returnedMs: 26 };
    const added = withHits((hits) => [
      ...hits,
      { _id: "doc-6", _seq_no: 9, _source: { value: 6 } },
    ]);

    expect(await judgeTampered(added, [later])).toBe(
      "the snapshot [safe/first] of [books]: [doc-6] is in it, and was written after it had ended",
    );
  });

  test("finds a snapshot that cannot be restored", async () => {
    const half: Change = (answer, uri) =>
      uri.includes("/_restore")
        ? { ...answer, body: { snapshot: { shards: { total: 1, failed: 1, successful: 0 } } } }
        : answer;

    expect(await judgeTampered(half)).toContain("[safe/first] cannot be restored: ");
  });

  test("finds a snapshot whose restored index cannot be read", async () => {
    const unread: Change = (answer, uri) =>
      uri.startsWith("/books-as-restored/_search") ? { ...answer, body: {} } : answer;

    expect(await judgeTampered(unread)).toBe(
      "what [safe/first] restored cannot be read: no answer: {}",
    );
  });

  test("finds a run that leaves no successful snapshot", async () => {
    const none: Change = (answer, uri) =>
      uri === "/_snapshot/safe/_all" ? { ...answer, body: { snapshots: [] } } : answer;

    expect(await judgeTampered(none)).toBe("there is no successful snapshot to compare");
  });

  test.each([
    ["node shutdown", undefined],
    ["aborted", "there is no successful snapshot to compare"],
  ])("a snapshot whose only shard failed with [%s] is judged", async (reason, finding) => {
    const partial = {
      snapshot: "first",
      state: "PARTIAL",
      indices: ["books"],
      failures: [{ reason }],
    };
    const listed: Change = (answer, uri) =>
      uri === "/_snapshot/safe/_all" ? { ...answer, body: { snapshots: [partial] } } : answer;

    expect(await judgeTampered(listed)).toBe(finding);
  });

  test("finds a repository that cannot be listed", async () => {
    const broken: Change = (answer, uri) =>
      uri === "/_snapshot/safe/_all" ? { ...answer, body: { error: "broken" } } : answer;

    expect(await judgeTampered(broken)).toBe("the snapshots of [safe] cannot be listed");
  });
});
