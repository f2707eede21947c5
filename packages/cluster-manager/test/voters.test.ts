/** How Raft's configuration gets to where the state wants it. */
import { forSeeds, type Random } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { nextStep, type ConfigurationInput, type ConfigurationStep } from "../src/voters.ts";

const ids = (...all: number[]): ReadonlySet<number> => new Set(all);

const input = (
  change: Partial<ConfigurationInput> & {
    incoming?: ReadonlySet<number>;
    learners?: ReadonlySet<number>;
    outgoing?: ReadonlySet<number>;
  },
): ConfigurationInput => ({
  configuration: {
    incoming: change.incoming ?? ids(1),
    outgoing: change.outgoing ?? ids(),
    learners: change.learners ?? ids(),
    learnersNext: ids(),
    autoLeave: false,
  },
  selfId: change.selfId ?? 1,
  voters: change.voters ?? ids(1),
  members: change.members ?? ids(1),
  isCaughtUp: change.isCaughtUp ?? (() => true),
});

describe("the next configuration step", () => {
  test("makes new members learners first", () => {
    expect(nextStep(input({ members: ids(1, 2), voters: ids(1, 2) }))).toEqual({
      kind: "change",
      changes: [{ type: "ConfChangeAddLearnerNode", nodeId: 2 }],
    });
  });

  test("gives a vote only to learners that have caught up", () => {
    const state = { members: ids(1, 2, 3), voters: ids(1, 2, 3), learners: ids(2, 3) };

    expect(nextStep(input({ ...state, isCaughtUp: (id) => id === 3 }))).toEqual({
      kind: "change",
      changes: [{ type: "ConfChangeAddNode", nodeId: 3 }],
    });
  });

  test("waits while a joint configuration is left", () => {
    expect(nextStep(input({ outgoing: ids(1), members: ids(1, 2) }))).toEqual({ kind: "none" });
  });

  test("hands over before the elected one loses its vote", () => {
    const state = { incoming: ids(1, 2, 3), members: ids(1, 2, 3), voters: ids(2, 3) };

    expect(nextStep(input(state))).toEqual({ kind: "hand-over", to: [2, 3] });
  });

  test("keeps a dead voter until its successor can vote", () => {
    const state = { incoming: ids(1, 2, 3), learners: ids(4), members: ids(1, 2, 4) };

    expect(nextStep(input({ ...state, voters: ids(1, 2, 4), isCaughtUp: () => false }))).toEqual({
      kind: "none",
    });
    expect(nextStep(input({ ...state, voters: ids(1, 2, 4) }))).toEqual({
      kind: "change",
      changes: [
        { type: "ConfChangeAddNode", nodeId: 4 },
        { type: "ConfChangeRemoveNode", nodeId: 3 },
      ],
    });
  });

  test("keeps voters without which the others could elect nobody", () => {
    const state = { incoming: ids(1, 2, 3, 4), members: ids(1, 2, 3), voters: ids(1, 4, 5) };

    expect(nextStep(input({ ...state, isCaughtUp: (id) => id < 4 }))).toEqual({ kind: "none" });
    expect(nextStep(input(state))).toMatchObject({ kind: "change", changes: [{}, {}] });
  });
});

test("INV-COORD-5: steps end where the state wants them, and never remove the elected one", () => {
  forSeeds(500, (random) => {
    const members = some(random);
    const voters = new Set([...members].filter(() => random.int(0, 1) === 1)).add(1);
    let incoming = some(random);
    let learners: ReadonlySet<number> = new Set(
      [...some(random)].filter((id) => !incoming.has(id)),
    );
    for (let i = 0; i < 10; i += 1) {
      const step: ConfigurationStep = nextStep(input({ incoming, learners, voters, members }));
      if (step.kind === "none") break;
      expect(step.kind).toBe("change");
      if (step.kind !== "change") break;
      const next = { incoming: new Set(incoming), learners: new Set(learners) };
      for (const { type, nodeId } of step.changes) {
        next.incoming.delete(nodeId);
        next.learners.delete(nodeId);
        if (type === "ConfChangeAddNode") next.incoming.add(nodeId);
        if (type === "ConfChangeAddLearnerNode") next.learners.add(nodeId);
      }
      ({ incoming, learners } = next);
      expect(incoming.has(1)).toBe(true);
    }
    const ascending = (all: Iterable<number>): number[] => [...all].toSorted((a, b) => a - b);
    expect(ascending(incoming)).toEqual(ascending(voters));
    expect(ascending([...incoming, ...learners])).toEqual(ascending(members));
  });
});

function some(random: Random): Set<number> {
  return new Set([1, 2, 3, 4, 5, 6].filter((id) => id === 1 || random.int(0, 1) === 1));
}
