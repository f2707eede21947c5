/** The invariants of Raft under loss, duplication, reordering, partitions, crashes and changes of membership. */
import { forSeeds } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import { createGroup, recovers, stepGroup, type Group, type GroupSettings } from "./group.ts";

const three: GroupSettings = {
  voters: [1, 2, 3],
  nodes: 3,
  changesMembership: false,
  lossPercent: 10,
};

const variants: readonly (readonly [string, GroupSettings])[] = [
  ["plain elections", three],
  ["five voters", { ...three, voters: [1, 2, 3, 4, 5], nodes: 5 }],
  ["pre-vote and check-quorum", { ...three, preVote: true, checkQuorum: true }],
  ["asynchronous storage writes", { ...three, asyncStorageWrites: true }],
  [
    "small limits",
    {
      ...three,
      preVote: true,
      maxSizePerMsg: 30,
      maxInflightMsgs: 2,
      maxInflightBytes: 60,
      maxCommittedSizePerReady: 40,
      maxUncommittedEntriesSize: 120,
    },
  ],
  [
    "joint consensus among five nodes",
    {
      voters: [1, 2, 3],
      nodes: 5,
      changesMembership: true,
      lossPercent: 5,
      checkQuorum: true,
      // Otherwise a removed leader may hold on to a term in which nobody can propose.
      stepDownOnRemoval: true,
    },
  ],
  [
    "joint consensus with asynchronous storage writes and pre-vote",
    {
      voters: [1, 2, 3, 4],
      nodes: 5,
      changesMembership: true,
      lossPercent: 5,
      preVote: true,
      stepDownOnRemoval: true,
      asyncStorageWrites: true,
    },
  ],
];

describe("INV-ELECTION-1, INV-LOG-1, INV-COMMIT-1, INV-READ-1 hold under faults, and the group recovers", () => {
  test.each(variants)("with %s", (_, settings) => {
    const totals = { leaders: 0, committed: 0, reads: 0, recovered: 0 };
    forSeeds(60, (random) => {
      const group = createGroup(random, settings);

      for (let step = 0; step < 3000; step += 1) {
        stepGroup(group);
        if (step % 50 === 0) group.observations.logs(group.members);
      }
      const isRecovered = recovers(group, 2000);

      group.observations.logs(group.members);
      count(totals, group, isRecovered);
      expect(isRecovered).toBe(true);
    });
    // A run in which nothing happens would prove nothing.
    expect(Math.min(totals.leaders, totals.committed, totals.reads)).toBeGreaterThan(0);
  });
});

function count(
  totals: { leaders: number; committed: number; reads: number; recovered: number },
  { observations }: Group,
  isRecovered: boolean,
): void {
  totals.leaders += observations.counts.leaders;
  totals.committed += observations.counts.committed;
  totals.reads += observations.counts.reads;
  totals.recovered += isRecovered ? 1 : 0;
}
