/** When a node that imports what dangles by itself looks for it. */
import { applyTask, initialState, type ClusterState, type Task } from "@orrery/cluster-state";
import type { Host } from "@orrery/ports";
import { writeIndexMetadata } from "@orrery/shard-worker";
import { createMemoryDisk } from "@orrery/storage";
import { createRandom, type NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import { autoImport, type DanglingOptions } from "../src/dangling.ts";
import { stateWith } from "./state.ts";

const here = "here" as NodeId;

test("it looks on a read-only cluster too, but not before the state is recovered", async () => {
  const disk = createMemoryDisk();
  const [books] = stateWith([here]).metadata.indices.values();
  if (books === undefined) throw new Error("no index");
  await writeIndexMetadata(disk, books, () => false);
  const submitted: string[] = [];
  const options: DanglingOptions = {
    host: {
      disk,
      clock: { nowMs: () => 1 },
      random: (purpose: string) => createRandom(purpose),
      log: () => undefined,
    } as unknown as Host,
    transport: {} as DanglingOptions["transport"],
    state: () => shown,
    isDeleted: () => false,
    submit: (task: Task) => Promise.resolve(void submitted.push(task.kind)),
  };
  const look = autoImport(options);

  let shown: ClusterState = { ...initialState("orrery"), managerNodeId: here };
  look(shown);
  expect(submitted).toEqual([]);

  const outcome = applyTask(shown, {
    kind: "update-cluster-settings",
    persistent: { "cluster.blocks.read_only": "true" },
    transient: {},
  });
  if (outcome.kind !== "updated") throw new Error(outcome.kind);
  const global = outcome.state.blocks.global.filter((held) => !held.disableStatePersistence);
  shown = { ...outcome.state, blocks: { ...outcome.state.blocks, global } };
  expect(global.map(({ id }) => id)).toEqual([6]);
  look(shown);
  expect(submitted).toEqual(["import-dangling-index"]);
});
