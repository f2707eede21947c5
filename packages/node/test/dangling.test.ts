/** When a node that imports what dangles by itself looks for it, and what comes of a disk that does not let it look. */
import {
  coreRules,
  applyTask,
  initialState,
  type ClusterState,
  type Task,
} from "@orrery/cluster-state";
import { DiskError, type Host, type Transport } from "@orrery/ports";
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

  const outcome = applyTask(
    shown,
    {
      kind: "update-cluster-settings",
      persistent: { "cluster.blocks.read_only": "true" },
      transient: {},
    },
    coreRules,
  );
  if (outcome.kind !== "updated") throw new Error(outcome.kind);
  const global = outcome.state.blocks.global.filter((held) => !held.disableStatePersistence);
  shown = { ...outcome.state, blocks: { ...outcome.state.blocks, global } };
  expect(global.map(({ id }) => id)).toEqual([6]);
  look(shown);
  expect(submitted).toEqual(["import-dangling-index"]);
});

test("a disk that cannot be read is logged, does not fail the applied state, and is read again", () => {
  const made = stateWith([here]);
  const state: ClusterState = {
    ...made,
    managerNodeId: here,
    blocks: { ...made.blocks, global: [] },
  };
  const logged: string[] = [];
  const disk = {
    ...createMemoryDisk(),
    list(): string[] {
      throw new DiskError("io", "indices", "cannot be read");
    },
  };
  const host = {
    disk,
    random: () => undefined,
    log: (_: string, message: string) => void logged.push(message),
  } as unknown as Host;
  const look = autoImport({
    host,
    transport: {} as Transport,
    state: () => state,
    isDeleted: () => false,
    submit: async () => undefined,
  });

  look(state);
  look(state);

  const message = "could not look for dangling indices: cannot be read";
  expect(logged).toEqual([message, message]);
});
