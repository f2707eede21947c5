/** Changes of a mapping: proposed on the version that they were merged from, and merged again when another change was first. */
import {
  initialState,
  type ClusterState,
  type IndexMetadata,
  type Task,
} from "@orrery/cluster-state";
import { OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import { expect, test } from "vitest";
import { changeMapping } from "../src/change-mapping.ts";

const moved: Problem = {
  type: "cluster_state_changed_exception",
  reason: "moved",
  status: 503,
  isRetryable: true,
};

function indexAt(mappingVersion: number, uuid = "u"): IndexMetadata {
  const mapping = { version: mappingVersion };
  return { name: "books", uuid, mappingVersion, mapping } as unknown as IndexMetadata;
}

/** A cluster manager that refuses so many proposals, another change having come before each. */
function clusterThatMoves(times: number, refusal: Problem = moved, uuid = "u") {
  const proposed: Task[] = [];
  let version = 1;
  return {
    proposed,
    async submit(task: Task) {
      proposed.push(task);
      if (proposed.length > times) return { acknowledged: true };
      version += 1;
      throw new OperationError(refusal);
    },
    async managerState(): Promise<ClusterState> {
      const state = initialState("orrery");
      const indices = new Map([["books", indexAt(version, uuid)]]);
      return { ...state, metadata: { ...state.metadata, indices } };
    },
  };
}

function merge({ mapping }: IndexMetadata): JsonObject {
  return { ...mapping, added: true };
}

const expectedVersions = (tasks: readonly Task[]) =>
  tasks.map((task) => (task.kind === "put-mapping" ? task.expectedMappingVersion : task.kind));

test("a change that was overtaken is merged into the mapping that there is then", async () => {
  const cluster = clusterThatMoves(2);

  expect(await changeMapping(cluster, indexAt(1), { merge })).toBe(true);

  expect(expectedVersions(cluster.proposed)).toEqual([1, 2, 3]);
  expect(cluster.proposed.at(-1)).toMatchObject({
    uuid: "u",
    mapping: { version: 3, added: true },
  });
});

test("a change that is made by then is not proposed again", async () => {
  const cluster = clusterThatMoves(1);

  const change = { merge: (index: IndexMetadata) => (index.mappingVersion > 1 ? undefined : {}) };

  expect(await changeMapping(cluster, indexAt(1), change)).toBe(true);
  expect(expectedVersions(cluster.proposed)).toEqual([1]);
});

test("a mapping that keeps moving is given up after ten proposals", async () => {
  const cluster = clusterThatMoves(100);

  await expect(changeMapping(cluster, indexAt(1), { merge })).rejects.toMatchObject({
    problem: moved,
  });
  expect(cluster.proposed).toHaveLength(10);
});

test("what is refused for good is not tried again", async () => {
  const refusal: Problem = { type: "index_not_found_exception", reason: "no", status: 404 };
  const cluster = clusterThatMoves(1, refusal);

  await expect(changeMapping(cluster, indexAt(1), { merge })).rejects.toMatchObject({
    problem: refusal,
  });
  expect(cluster.proposed).toHaveLength(1);
});

test("another index of the same name is not what the change is for", async () => {
  const cluster = clusterThatMoves(1, moved, "another");

  await changeMapping(cluster, indexAt(1), { merge });

  expect(cluster.proposed.map((task) => "uuid" in task && task.uuid)).toEqual(["u", "u"]);
  expect(expectedVersions(cluster.proposed)).toEqual([1, 1]);
});

test("a merge that fails proposes nothing", async () => {
  const cluster = clusterThatMoves(0);
  const fails = (): never => {
    throw new OperationError({
      type: "illegal_argument_exception",
      reason: "other type",
      status: 400,
    });
  };

  await expect(changeMapping(cluster, indexAt(1), { merge: fails })).rejects.toThrow("other type");
  expect(cluster.proposed).toEqual([]);
});
