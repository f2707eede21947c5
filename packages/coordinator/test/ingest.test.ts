/** The ingest stage: who goes through it, what it costs those who do not, and how often a document goes. */
import { BulkShardRequest, BulkShardResponse, wireProblem } from "@orrery/protocol";
import { OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { mayHavePipelines } from "../src/ingest/pipelines-of.ts";
import type { BulkResponse, WriteItem } from "../src/types.ts";
import { after, clusterOf, createTestCluster, withIndex, type Answer } from "./world.ts";

const options = { refresh: "false", timeoutMs: 60_000, waitForActiveShards: undefined } as const;

function item(rest: Partial<WriteItem>): WriteItem {
  const source = utf8Encode('{"price":1.50}');
  return { operation: "index", index: "books", id: "1", routing: undefined, source, ...rest };
}

const takeAll: Answer = ({ payload }) =>
  BulkShardResponse.encode({
    items: BulkShardRequest.decode(payload).items.map(({ id }) => ({
      result: "created",
      id,
      status: 201,
    })),
  }).finish();

const pipeline = (processors: readonly unknown[]) => JSON.stringify({ processors });

function stateWith(settings: Record<string, string>, definitions: Record<string, string>) {
  let state = withIndex(clusterOf(2), "books", { settings });
  for (const [id, definition] of Object.entries(definitions)) {
    state = after(state, { kind: "put-ingest-pipeline", id, definition });
  }
  return state;
}

test("without pipelines nothing looks at a document", () => {
  const state = stateWith({}, {});

  expect(mayHavePipelines(state, [item({}), item({ pipeline: "_none" })])).toBe(false);
  expect(mayHavePipelines(state, [item({ pipeline: "p", operation: "delete" })])).toBe(false);
  expect(mayHavePipelines(state, [item({}), item({ pipeline: "p" })])).toBe(true);
  const final = stateWith({ "index.final_pipeline": "p" }, {});
  expect(mayHavePipelines(final, [item({})])).toBe(true);
  expect(mayHavePipelines(final, [item({ pipeline: "_none" })])).toBe(true);
});

test("a write that is sent again carries what its pipeline made, under one id", async () => {
  const counting = pipeline([
    { set: { field: "seen", value: "{{_ingest.timestamp}}" } },
    { remove: { field: "_id" } },
  ]);
  const state = stateWith({ "index.default_pipeline": "p" }, { p: counting });
  const sent: { readonly id: string; readonly source: string }[] = [];
  const cluster = createTestCluster({
    state,
    answer: (asked) => {
      const [first] = BulkShardRequest.decode(asked.payload).items;
      sent.push({ id: first?.id ?? "", source: utf8Decode(first?.source ?? new Uint8Array()) });
      if (sent.length > 1) return takeAll(asked);
      const type = "node_disconnected_exception";
      throw new OperationError({ type, reason: "lost", status: 500, isRetryable: true });
    },
  });

  const answer = await cluster.outcome(cluster.coordinator.bulk({ ...options, items: [item({})] }));

  expect((answer as BulkResponse).items).toMatchObject([{ kind: "done", status: 201 }]);
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[0]?.id).toMatch(/^[\w-]{20}$/);
  expect(sent[0]?.source).toMatch(/^\{"price":1\.50,"seen":"2026-02-03T00:00:/);
});

test.each([
  [[{ set: { field: "_version", value: 7 } }], /internal versioning can not be used/],
  [[{ set: { field: "_version_type", value: "external" } }], /illegal version value \[-3\]/],
  [[{ set: { field: "_id", value: "" } }], /if _id is specified it must not be empty/],
  [[{ set: { field: "_if_seq_no", value: 1 } }], /primary term is \[0\]/],
  [[{ set: { field: "_routing", value: 5 } }], /cannot be cast to class java.lang.String/],
])("metadata of %j fails its item alone", async (processors, reason) => {
  const state = stateWith({}, { p: pipeline(processors) });
  const cluster = createTestCluster({ state, answer: takeAll });
  const items = [item({ pipeline: "p" }), item({ id: "2" })];

  const answer = await cluster.outcome(cluster.coordinator.bulk({ ...options, items }));

  const { items: answered, ingestTookMs } = answer as BulkResponse;
  expect(answered.map(({ status }) => status)).toEqual([expect.any(Number), 201]);
  expect(answered[0]).toMatchObject({
    kind: "failed",
    id: "1",
    problem: { reason: expect.stringMatching(reason) },
  });
  expect(ingestTookMs).toBe(0);
});

test("an update with pipelines that meets another write is merged again, as often as it may", async () => {
  const counting = pipeline([{ set: { field: "by", value: "{{by}}p" } }]);
  const state = stateWith({ "index.default_pipeline": "p" }, { p: counting });
  const written: unknown[] = [];
  let version = 0;
  const cluster = createTestCluster({
    state,
    answer: (asked) => {
      const [first] = BulkShardRequest.decode(asked.payload).items;
      const id = first?.id ?? "";
      if (first?.onlyPlan === true) {
        version += 1;
        const planned = { source: utf8Encode(`{"n":${version}}`), routing: "", exists: true };
        const result = { result: "planned", id, version, seqNo: version, primaryTerm: 1, planned };
        return BulkShardResponse.encode({ items: [{ ...result, status: 200 }] }).finish();
      }
      written.push([first?.operation, first?.ifSeqNo, utf8Decode(first?.source ?? utf8Encode(""))]);
      if (version > 2) return takeAll(asked);
      const problem = { type: "version_conflict_engine_exception", reason: "other", status: 409 };
      return BulkShardResponse.encode({
        items: [{ id, status: 409, problem: wireProblem(problem) }],
      }).finish();
    },
  });
  const update = item({ operation: "update", source: utf8Encode('{"doc":{"n":1}}') });

  const refused = await cluster.outcome(
    cluster.coordinator.write({ ...update, retryOnConflict: 1 }, options),
  );
  const answer = await cluster.outcome(cluster.coordinator.write(update, options));

  expect(refused).toMatchObject({ problem: { type: "version_conflict_engine_exception" } });
  expect(answer).toMatchObject({ kind: "done", operation: "update", result: "created" });
  expect(written).toEqual([
    ["index", 1, '{"n":1,"by":"p"}'],
    ["index", 2, '{"n":2,"by":"p"}'],
    ["index", 3, '{"n":3,"by":"p"}'],
  ]);
});
