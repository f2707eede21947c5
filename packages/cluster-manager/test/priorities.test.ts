/**
 * Priorities and sources of tasks, as OpenSearch 3.8.0 has them in its services: the order in which waiting tasks are
 * executed, and what `_cluster/pending_tasks` shows of them.
 */
import type { Task } from "@orrery/cluster-state";
import type { IndexUuid, NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { batchOf, concernsRouting, priorityOf, sourceOf } from "../src/priorities.ts";
import type { TaskPriority } from "../src/types.ts";
import { node } from "./nodes.ts";

/** A new kind of task does not compile without its priority. */
const priorities: Readonly<Record<Task["kind"], TaskPriority>> = {
  "add-voting-config-exclusions": "URGENT",
  "assign-raft-id": "URGENT",
  "become-cluster-manager": "URGENT",
  "clear-voting-config-exclusions": "URGENT",
  "close-index": "URGENT",
  "create-data-stream": "HIGH",
  "create-index": "URGENT",
  "create-snapshot": "NORMAL",
  "decommission-zone": "URGENT",
  "delete-dangling-index": "NORMAL",
  "delete-data-streams": "HIGH",
  "delete-decommission-state": "URGENT",
  "delete-index": "URGENT",
  "delete-ingest-pipelines": "NORMAL",
  "delete-repository": "NORMAL",
  "delete-snapshots": "NORMAL",
  "delete-templates": "URGENT",
  "delete-weighted-routing": "URGENT",
  "finish-deletion": "NORMAL",
  "finish-repository-cleanup": "NORMAL",
  "finish-restore": "URGENT",
  "finish-snapshot": "NORMAL",
  "follow-repositories": "NORMAL",
  "import-dangling-index": "NORMAL",
  "node-join": "URGENT",
  "node-left": "IMMEDIATE",
  "open-index": "URGENT",
  "plugin-task": "NORMAL",
  "put-component-template": "URGENT",
  "put-index-template": "URGENT",
  "put-ingest-pipeline": "NORMAL",
  "put-legacy-template": "URGENT",
  "put-mapping": "HIGH",
  "put-repository": "NORMAL",
  "put-weighted-routing": "URGENT",
  "reconfigure-voters": "URGENT",
  "recover-state": "NORMAL",
  "restore-snapshot": "NORMAL",
  "roll-over": "NORMAL",
  "set-repository-generation": "NORMAL",
  "start-repository-cleanup": "NORMAL",
  "update-aliases": "URGENT",
  "update-cluster-settings": "IMMEDIATE",
  "update-decommission-status": "URGENT",
  "update-index-settings": "URGENT",
  "update-snapshot-shards": "NORMAL",
};

test.each(Object.entries(priorities))("the priority of %s is %s", (kind, priority) => {
  expect(priorityOf({ kind } as Task)).toBe(priority);
});

const uuid = "u" as IndexUuid;

test.each<[string, Task]>([
  [
    "delete-index [[books/u]]",
    { kind: "delete-index", index: "books", uuid, nowMs: 1, maxTombstones: 1 },
  ],
  ["put-mapping [books/u]", { kind: "put-mapping", index: "books", uuid, mapping: {} } as Task],
  ["open-indices [a, b]", { kind: "open-index", indices: ["a", "b"], nowMs: 1 }],
  [
    "add-block-index-to-close [a]",
    { kind: "close-index", step: "block", indices: ["a"], nowMs: 1 },
  ],
  ["close-indices [a]", { kind: "close-index", step: "close", indices: ["a"], nowMs: 1 }],
  ["index-aliases", { kind: "update-aliases", actions: [], nowMs: 1 }],
  ["cluster_update_settings", { kind: "update-cluster-settings", persistent: {}, transient: {} }],
  [
    "node-left[n1-id reason: disconnected]",
    { kind: "node-left", nodeId: "n1-id" as NodeId, reason: "disconnected" },
  ],
  ["node-join[{n1}{n1-id} join existing leader]", { kind: "node-join", node: node("n1") }],
  ["local-gateway-elected-state", { kind: "recover-state", nowMs: 1 }],
  ["remove-component-template [c*]", { kind: "delete-templates", of: "component", pattern: "c*" }],
  ["remove-index-template-v2 [t]", { kind: "delete-templates", of: "index", pattern: "t" }],
  ["remove-index-template [t]", { kind: "delete-templates", of: "legacy", pattern: "t" }],
  ["remove-data-stream [a,b]", { kind: "delete-data-streams", names: ["a", "b"], nowMs: 1 }],
  ["delete-pipeline-p*", { kind: "delete-ingest-pipelines", pattern: "p*" }],
  ["put_repository [r]", { kind: "put-repository", name: "r", type: "fs", settings: {} }],
  ["delete_repository [r]", { kind: "delete-repository", name: "r" }],
  ["update snapshot state", { kind: "update-snapshot-shards", updates: [] }],
  ["remove snapshot metadata", { kind: "finish-snapshot", uuid: "s" }],
  ["clean up snapshot restore state", { kind: "finish-restore", uuid: "s" }],
  ["reconfigure", { kind: "reconfigure-voters", voters: [] }],
  ["shelf/rename", { kind: "plugin-task", name: "shelf/rename", body: {} }],
])("a waiting task is shown as [%s]", (source, task) => {
  expect(sourceOf(task)).toBe(source);
});

describe("tasks that wait together", () => {
  test("share a round if they are about members, or about mappings", () => {
    const batches = (...kinds: readonly Task["kind"][]) =>
      kinds.map((kind) => batchOf({ kind } as Task));

    expect(batches("node-join", "node-left", "assign-raft-id")).toEqual([
      "membership",
      "membership",
      "membership",
    ]);
    expect(batches("put-mapping", "create-index")).toEqual(["put-mapping", undefined]);
  });

  test("lead to a reroute only if they can change where copies belong", () => {
    const routes = (kind: Task["kind"]): boolean => concernsRouting({ kind } as Task);

    for (const kind of ["node-left", "node-join", "create-index", "restore-snapshot"] as const) {
      expect([kind, routes(kind)]).toEqual([kind, true]);
    }
    for (const kind of ["put-mapping", "update-aliases", "put-index-template"] as const) {
      expect([kind, routes(kind)]).toEqual([kind, false]);
    }
    // Settings of the cluster hold those of allocation.
    expect(routes("update-cluster-settings")).toBe(true);
  });
});
