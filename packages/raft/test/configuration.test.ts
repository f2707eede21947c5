/** Changes of the configuration: joint and simple paths agree, and a ConfState restores either. */
import { forSeeds } from "@orrery/seeds";
import type { Random } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  changeSimply,
  enterJoint,
  leaveJoint,
  restoreConfiguration,
  type Base,
  type ConfigurationResult,
} from "../src/configuration.ts";
import { describeConfiguration } from "../src/describe-progress.ts";
import { confStateOf, createTracker } from "../src/tracker.ts";
import type { ConfChangeSingle } from "../src/types.ts";

const add = (nodeId: number): ConfChangeSingle => ({ type: "ConfChangeAddNode", nodeId });

function after(base: Base, result: ConfigurationResult): Base {
  if (result.kind === "refused") throw new Error(result.reason);
  return { ...base, configuration: result.configuration, progress: result.progress };
}

function groupOf(random: Random): Base {
  let base: Base = createTracker(10, 1000);
  for (let id = 1; id <= random.int(1, 5); id += 1) {
    base = after(base, changeSimply({ base, lastIndex: 10 }, [add(id)]));
  }
  return base;
}

/** Never touches node 1, so the voters do not run out. */
function changesOf(random: Random): ConfChangeSingle[] {
  return Array.from({ length: random.int(1, 6) }, () => ({
    type: random.pick([
      "ConfChangeAddNode",
      "ConfChangeAddLearnerNode",
      "ConfChangeRemoveNode",
      "ConfChangeUpdateNode",
    ] as const),
    nodeId: random.int(2, 9),
  }));
}

test("joint consensus leads to the same configuration as the changes one by one", () => {
  forSeeds(300, (random) => {
    const start = groupOf(random);
    const changes = changesOf(random);

    const joint = after(start, enterJoint({ base: start, lastIndex: 20 }, true, changes));
    const left = after(joint, leaveJoint({ base: joint, lastIndex: 20 }));
    let simple = start;
    for (const change of changes) {
      simple = after(simple, changeSimply({ base: simple, lastIndex: 20 }, [change]));
    }

    expect(describeConfiguration(left.configuration)).toBe(
      describeConfiguration(simple.configuration),
    );
    expect([...left.progress.keys()]).toEqual([...simple.progress.keys()]);
  });
});

test("a configuration, joint or not, comes back from its ConfState", () => {
  forSeeds(300, (random) => {
    const start = groupOf(random);
    const entered = enterJoint({ base: start, lastIndex: 20 }, true, changesOf(random));
    const base = random.int(0, 1) === 0 ? start : after(start, entered);
    const state = confStateOf(base.configuration);

    const empty = createTracker(10, 1000);
    const restored = after(empty, restoreConfiguration({ base: empty, lastIndex: 20 }, state));

    expect(confStateOf(restored.configuration)).toEqual(state);
    expect([...restored.progress.keys()]).toEqual([...base.progress.keys()]);
  });
});

test("a refused change leaves the progress as it was", () => {
  let base: Base = createTracker(10, 1000);
  for (const id of [1, 2]) base = after(base, changeSimply({ base, lastIndex: 1 }, [add(id)]));

  const result = changeSimply({ base, lastIndex: 1 }, [
    { type: "ConfChangeAddLearnerNode", nodeId: 1 },
    { type: "ConfChangeRemoveNode", nodeId: 2 },
  ]);

  expect(result).toEqual({ kind: "refused", reason: "removed all voters" });
  expect([...base.progress.values()].map(({ isLearner }) => isLearner)).toEqual([false, false]);
});
