/** As many copies as forced values can share, where copies are to be balanced. */
import { describe, expect, test } from "vitest";
import { coreRules, applyTask, type ClusterState, type Task } from "../src/index.ts";
import { after, cluster, creation, node, reasonOf, withNewIndex } from "./fixture.ts";

const settingsTask = (persistent: Record<string, string>): Task => ({
  kind: "update-cluster-settings",
  persistent,
  transient: {},
});

function balanced(isOn = "true"): ClusterState {
  return after(
    cluster(node("n1")),
    settingsTask({
      "cluster.routing.allocation.awareness.attributes": "zone",
      "cluster.routing.allocation.awareness.force.zone.values": "a,b,c",
      "cluster.routing.allocation.awareness.balance": isOn,
    }),
  );
}

/** Undefined when the task is taken. */
function refusal(state: ClusterState, task: Task): string | null | undefined {
  const outcome = applyTask(state, task, coreRules);
  return outcome.kind === "rejected" ? reasonOf(outcome) : undefined;
}

const copies = "expected total copies needs to be a multiple of total awareness attributes [3]";
const cap = "expected max cap on auto expand to be a multiple of total awareness attributes [3]";
const failed = (complaint: string): string => `Validation Failed: 1: ${complaint};`;

describe("a new index", () => {
  test.each([
    [{ "index.number_of_replicas": "2" }, undefined],
    [{ "index.number_of_replicas": "5" }, undefined],
    [{ "index.number_of_replicas": "1" }, failed(copies)],
    [{}, failed(copies)],
    [{ "index.auto_expand_replicas": "0-all" }, undefined],
    [{ "index.auto_expand_replicas": "0-2" }, undefined],
    [{ "index.auto_expand_replicas": "0-1" }, failed(cap)],
  ])("with %j", (settings, reason) => {
    const state = balanced();

    expect(refusal(state, creation(state, "i", settings))).toBe(reason);
  });

  test("may have any number when it is hidden by its name, or copies need not be balanced", () => {
    const state = balanced();
    const free = balanced("false");

    expect(refusal(state, creation(state, ".i"))).toBeUndefined();
    expect(refusal(free, creation(free, "i"))).toBeUndefined();
  });
});

test("a change of the number of replicas is held to it, other changes are not", () => {
  const state = withNewIndex(balanced(), "i", { "index.number_of_replicas": "2" });
  const change = (settings: Record<string, string>): Task => ({
    kind: "update-index-settings",
    indices: ["i"],
    settings,
    preserveExisting: false,
    nowMs: 0,
  });

  expect(refusal(state, change({ "index.number_of_replicas": "3" }))).toBe(failed(copies));
  expect(refusal(state, change({ "index.refresh_interval": "5s" }))).toBeUndefined();
});

test("templates are held to it, with what they leave to the default", () => {
  const state = balanced();
  const put = (settings: Record<string, string>): Task => ({
    kind: "put-legacy-template",
    name: "t",
    create: false,
    template: { index_patterns: ["x*"], order: 0, settings, mappings: {}, aliases: {} },
  });

  expect(refusal(state, put({}))).toContain(copies);
  expect(refusal(state, put({ "index.number_of_replicas": "2" }))).toBeUndefined();
});
