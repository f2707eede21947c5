/** INV-FOLLOW-4: a leader with another history ends the following, unless the primary that answered may have been cut off. */
import type { Cluster } from "@orrery/node";
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { checkHistory } from "../src/follower/leader-history.ts";
import type { Following } from "../src/state/section.ts";

const following = { leaderAlias: "lead", leaderIndex: "books" } as Following;
const copied = { shard: 0, uuid: "first", lastSeqNo: 7 };

function clusterOf(managerNodeId: string | undefined, primaryTerm: number): Cluster {
  const metadata = { indices: new Map([["books", { primaryTerms: [primaryTerm] }]]) };
  return { remotes: { state: async () => ({ managerNodeId, metadata }) } } as unknown as Cluster;
}

const elected = clusterOf("node", 3);

async function judged(
  leaders: Partial<Parameters<typeof checkHistory>[3]>,
  cluster = elected,
): Promise<[number, string | null] | undefined> {
  const told = { historyUuid: "first", maxSeqNo: 7, primaryTerm: 3, ...leaders };
  try {
    await checkHistory(cluster, following, copied, told);
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return [error.problem.status, error.problem.reason];
  }
}

test("the history that was copied, however much longer, is no problem", async () => {
  expect(await judged({})).toBeUndefined();
  expect(await judged({ maxSeqNo: 100 })).toBeUndefined();
  expect(await judged({ primaryTerm: 9 })).toBeUndefined();
});

test("another history, or one that ends before what was copied, is a problem for good", async () => {
  expect(await judged({ historyUuid: "second", maxSeqNo: 100 })).toEqual([
    409,
    "[lead:books][0] has the history [second], and the history [first] was copied",
  ]);
  expect(await judged({ maxSeqNo: 6 })).toEqual([
    409,
    "[lead:books][0] lost a part of its history: its highest sequence number is [6], and operations up to [7] were copied",
  ]);
});

test("a primary of another term, or beside an elected cluster manager, is asked again", async () => {
  const other = { maxSeqNo: 6 };

  expect(await judged(other, clusterOf("node", 4))).toEqual([
    503,
    expect.stringContaining("lost a part"),
  ]);
  expect(await judged(other, clusterOf(undefined, 3))).toEqual([
    503,
    expect.stringContaining("lost a part"),
  ]);
});
