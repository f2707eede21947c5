/** Rounds of the elected cluster manager when a task cannot be judged. */
import { coreRules, initialState, type Task } from "@orrery/cluster-state";
import { AssertionError, illegalArgument, type AllocationId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createTaskRunner, type NewWork } from "../src/task-runner.ts";

const clock = { nowMs: () => 0, monotonicMs: () => 0, setTimer: () => () => {} };

const work = (task: Task): NewWork => ({
  work: { kind: "task", id: "", task },
  priority: "NORMAL",
  source: task.kind,
  batch: undefined,
});

const runner = (): ReturnType<typeof createTaskRunner> =>
  createTaskRunner({
    clock,
    term: 1,
    state: initialState("test"),
    rules: coreRules,
    propose: () => true,
    roundInputs: () => ({ nowMs: 0, newAllocationId: () => "a" as AllocationId }),
    placed: () => {},
    proposed: () => {},
  });

/** A task whose reducer throws as soon as it looks at it. */
const throwing = (error: Error): Task =>
  ({
    kind: "put-repository",
    get name(): string {
      throw error;
    },
  }) as unknown as Task;

const repository: Task = { kind: "put-repository", name: "r", type: "fs", settings: {} };

describe("a task whose reducer throws", () => {
  test.each([
    ["what it refuses", illegalArgument("no such thing")],
    ["a fault of its own", new TypeError("it is broken")],
  ])("is told why when that is %s, and the next one is run", async (_, error) => {
    const tasks = runner();

    await expect(tasks.enqueue(work(throwing(error)))).rejects.toThrow(error.message);
    void tasks.enqueue(work(repository));

    expect(tasks.pendingTasks().map(({ executing }) => executing)).toEqual([true]);
    expect([...tasks.state.metadata.customs.keys()]).toEqual(["repositories"]);
  });

  test("because a claim does not hold is told why, the fault goes on up, and the next one is run", async () => {
    const tasks = runner();
    void tasks.enqueue(work(repository));
    const broken = tasks.enqueue({
      ...work(throwing(new AssertionError("it does not hold"))),
      batch: "waits",
    });

    const told = expect(broken).rejects.toThrow("it does not hold");
    const { state } = tasks;
    expect(() => {
      tasks.applied({ index: 1, hasProposal: true }, state);
      tasks.run();
    }).toThrow("it does not hold");
    await told;
    void tasks.enqueue(work({ ...repository, name: "s" }));

    expect(tasks.pendingTasks().map(({ executing }) => executing)).toEqual([true]);
  });
});
