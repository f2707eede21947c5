/** Data streams: how they come, grow and go, what names mean, and what is refused in which words. */
import { describe, expect, test } from "vitest";
import {
  coreRules,
  applyTask,
  dataStreamsOf,
  hasTombstone,
  indicesOptions,
  resolveIndices,
  resolveSearchRouting,
  resolveWriteIndex,
  type ClusterState,
  type CreateIndex,
} from "../src/index.ts";
import { after, cluster, creation, node, reasonOf, withNewIndex } from "./fixture.ts";

const empty = cluster(node("n1"));

function backing(state: ClusterState, name: string): CreateIndex {
  return creation(state, name, { "index.hidden": "true" });
}

function withStream(state: ClusterState, name: string): ClusterState {
  return after(state, {
    kind: "create-data-stream",
    name,
    timestampField: "@timestamp",
    index: backing(state, `.ds-${name}-000001`),
  });
}

function rolled(state: ClusterState, name: string, generation: number): ClusterState {
  const stream = dataStreamsOf(state).get(name)?.indices.at(-1);
  if (stream === undefined) throw new Error(`no stream ${name}`);
  return after(state, {
    kind: "roll-over",
    target: name,
    source: { name: stream.index_name, uuid: stream.index_uuid },
    index: backing(state, `.ds-${name}-00000${generation}`),
    info: { time: 7 },
    nowMs: 7,
  });
}

function named(state: ClusterState, ...expressions: string[]): readonly string[] {
  const options = indicesOptions.strictExpandOpen;
  return resolveIndices(state, expressions, options, 0).map(({ name }) => name);
}

const two = rolled(withStream(empty, "logs"), "logs", 2);

describe("a data stream", () => {
  test("writes to its newest backing index and is read from all of them", () => {
    expect(resolveWriteIndex(two, "logs", 0).name).toBe(".ds-logs-000002");
    expect(named(two, "logs")).toEqual([".ds-logs-000001", ".ds-logs-000002"]);
    expect(named(two, "lo*")).toEqual([".ds-logs-000001", ".ds-logs-000002"]);
    expect(named(two, "_all")).toEqual([".ds-logs-000001", ".ds-logs-000002"]);
    expect(dataStreamsOf(two).get("logs")?.generation).toBe(2);
  });

  test("passes routing values on to its backing indices", () => {
    const routing = resolveSearchRouting(two, "r", ["logs"], 0);

    expect([...(routing?.keys() ?? [])]).toEqual([".ds-logs-000001", ".ds-logs-000002"]);
  });

  test("is nothing for operations that do not know data streams", () => {
    const options = { ...indicesOptions.strictExpandOpen, includeDataStreams: false };

    expect(() => resolveIndices(two, ["logs"], options, 0)).toThrow("no such index [logs]");
    expect(resolveIndices(two, ["lo*"], options, 0)).toEqual([]);
  });

  test("keeps the index that it writes to, and forgets another that is deleted", () => {
    const remove = (index: string) => {
      const uuid = two.metadata.indices.get(index)?.uuid;
      if (uuid === undefined) throw new Error(`no index ${index}`);
      return applyTask(two, { kind: "delete-index", index, uuid, nowMs: 9 }, coreRules);
    };

    expect(reasonOf(remove(".ds-logs-000002"))).toBe(
      "index [.ds-logs-000002] is the write index for data stream [logs] and cannot be deleted",
    );
    const outcome = remove(".ds-logs-000001");
    if (outcome.kind !== "updated") throw new Error(outcome.kind);
    expect(named(outcome.state, "logs")).toEqual([".ds-logs-000002"]);
  });

  test("keeps the template that it was made from", () => {
    const template = { index_patterns: ["logs"], data_stream: { timestamp_field: { name: "t" } } };
    const put = { kind: "put-index-template", name: "t", create: false } as const;
    const state = after(two, { ...put, template });

    expect(
      reasonOf(
        applyTask(state, { kind: "delete-templates", of: "index", pattern: "t" }, coreRules),
      ),
    ).toBe("unable to remove composable templates [t] as they are in use by a data streams [logs]");
    const other = { index_patterns: ["x"], data_stream: template.data_stream };
    expect(reasonOf(applyTask(state, { ...put, template: other }, coreRules))).toBe(
      "composable template [t] with index patterns [x], priority [null] would cause data streams [logs] to no longer match a data stream template",
    );
  });
});

describe("create-data-stream", () => {
  test("creates the stream with its first backing index, in one version", () => {
    const state = withStream(empty, "logs");

    expect(dataStreamsOf(state).get("logs")).toEqual({
      name: "logs",
      timestamp_field: { name: "@timestamp" },
      indices: [{ index_name: ".ds-logs-000001", index_uuid: ".ds-logs-000001-uuid" }],
      generation: 1,
    });
    expect(state.routingTable.has(".ds-logs-000001")).toBe(true);
  });

  test("is refused for a taken name, as are indices of the names that its backing indices will have", () => {
    expect(reasonOf(applyTask(two, creation(two, "logs"), coreRules))).toBe(
      "index, alias, and data stream names need to be unique, but the following duplicates were found [data stream [logs] conflicts with index]",
    );
    expect(reasonOf(applyTask(two, creation(two, ".ds-logs-000007"), coreRules))).toBe(
      "data stream [logs] could create backing indices that conflict with 1 existing index(s) or alias(s) including '.ds-logs-000007'",
    );
    const taken = withNewIndex(empty, "taken");
    const stream = (name: string) =>
      applyTask(
        taken,
        {
          kind: "create-data-stream",
          name,
          timestampField: "@timestamp",
          index: backing(taken, `.ds-${name}-000001`),
        },
        coreRules,
      );
    expect(reasonOf(stream("taken"))).toContain("data stream [taken] conflicts with index");
    expect(reasonOf(stream("Logs"))).toBe("data_stream [Logs] must be lowercase");
    expect(reasonOf(stream(".logs"))).toBe("data_stream [.logs] must not start with '.'");
  });
});

describe("roll-over", () => {
  test("keeps the time of the rollover with the former write index", () => {
    const old = two.metadata.indices.get(".ds-logs-000001");

    expect(old?.rolloverInfo).toEqual({ logs: { time: 7 } });
  });

  test("is refused to a request that saw another write index", () => {
    const first = withStream(empty, "logs");
    const uuid = first.metadata.indices.get(".ds-logs-000001")?.uuid ?? "";
    const again = applyTask(
      two,
      {
        kind: "roll-over",
        target: "logs",
        source: { name: ".ds-logs-000001", uuid },
        index: backing(two, ".ds-logs-000002"),
        info: {},
        nowMs: 8,
      },
      coreRules,
    );

    expect(again.kind).toBe("rejected");
  });

  test("moves an alias to the new index; an alias with a write index keeps the former one for reads", () => {
    const roll = (state: ClusterState): ClusterState =>
      after(state, {
        kind: "roll-over",
        target: "a",
        source: { name: "a-1", uuid: "a-1-uuid" },
        index: creation(state, "a-2"),
        info: {},
        nowMs: 7,
      });
    const holders = (state: ClusterState) =>
      [...state.metadata.indices.values()].map(({ name, aliases }) => [name, aliases.get("a")]);
    const plain = withNewIndex(empty, "a-1", {}, { aliases: { a: {} } });
    const written = withNewIndex(empty, "a-1", {}, { aliases: { a: { isWriteIndex: true } } });

    expect(holders(roll(plain))).toEqual([
      ["a-1", undefined],
      ["a-2", {}],
    ]);
    expect(holders(roll(written))).toEqual([
      ["a-1", { isWriteIndex: false }],
      ["a-2", { isWriteIndex: true }],
    ]);
  });
});

describe("delete-data-streams", () => {
  test("removes the streams of these names with all their indices, each of which leaves a tombstone", () => {
    const uuids = [...two.metadata.indices.values()].map(({ uuid }) => uuid);

    const state = after(two, { kind: "delete-data-streams", names: ["logs", "none"], nowMs: 9 });

    expect(state.metadata.indices.size).toBe(0);
    expect(dataStreamsOf(state).size).toBe(0);
    expect(uuids.every((uuid) => hasTombstone(state, uuid))).toBe(true);
  });

  test("is without effect where no stream has one of the names", () => {
    const task = { kind: "delete-data-streams", names: ["none"], nowMs: 9 } as const;

    expect(applyTask(two, task, coreRules)).toEqual({ kind: "unchanged" });
  });
});
