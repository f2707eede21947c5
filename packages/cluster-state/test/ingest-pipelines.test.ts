/** Definitions of ingest pipelines in the cluster state: put, replaced and removed, with or without a pattern. */
import { describe, expect, test } from "vitest";
import {
  applyTask,
  coreRules,
  decodeState,
  encodeState,
  ingestPipelinesOf,
  withCustom,
  type ClusterState,
  type Task,
} from "../src/index.ts";
import { after, cluster, node, reasonOf } from "./fixture.ts";

const empty = cluster(node("n1"));
const put = (id: string, definition: string) =>
  ({ kind: "put-ingest-pipeline", id, definition }) as const;
const all = (state: ClusterState, ...tasks: readonly Task[]): ClusterState =>
  tasks.reduce(after, state);
const remove = (pattern: string) => ({ kind: "delete-ingest-pipelines", pattern }) as const;

test("a section of another shape, as a repository may hold one, has no pipelines", () => {
  const section = [["a"], "b", ["c", 1], null, ["d", "{}"]];

  expect([...ingestPipelinesOf(withCustom(empty, "ingest", section))]).toEqual([["d", "{}"]]);
  expect(ingestPipelinesOf(withCustom(empty, "ingest", {})).size).toBe(0);
});

describe("put-ingest-pipeline", () => {
  test("keeps definitions as they were put, through the codec too", () => {
    const state = all(empty, put("a", '{"processors":[],"version":1.50}'), put("b", "{}"));
    const replaced = after(state, put("a", '{"processors":[]}'));

    expect([...ingestPipelinesOf(decodeState(encodeState(state)))]).toEqual([
      ["a", '{"processors":[],"version":1.50}'],
      ["b", "{}"],
    ]);
    expect(ingestPipelinesOf(replaced).get("a")).toBe('{"processors":[]}');
    expect(ingestPipelinesOf(state)).toBe(ingestPipelinesOf(state));
  });

  test("is without effect for the definition that is there", () => {
    const state = after(empty, put("a", "{}"));

    expect(applyTask(state, put("a", "{}"), coreRules).kind).toBe("unchanged");
  });
});

describe("delete-ingest-pipelines", () => {
  test("removes what a pattern matches; without a match only `*` is accepted", () => {
    const state = all(empty, put("a1", "{}"), put("a2", "{}"), put("b", "{}"));

    expect([...ingestPipelinesOf(after(state, remove("a*"))).keys()]).toEqual(["b"]);
    expect(applyTask(empty, remove("*"), coreRules).kind).toBe("unchanged");
    expect(reasonOf(applyTask(state, remove("c*"), coreRules))).toBe("pipeline [c*] is missing");
  });
});
