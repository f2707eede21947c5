/** Which Raft ids a node may send under. */
import type { NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { maySendAs } from "../src/raft-transport.ts";

const a = "a" as NodeId;
const b = "b" as NodeId;
const raftIds = new Map([[a, 1]]);
const known = { raftIds, nextRaftId: 4, ownId: 2, owner: undefined };

describe("a message under a Raft id", () => {
  test("is taken of the node that the state gives the id, and of no other", () => {
    expect(maySendAs({ ...known, owner: a }, 1, a)).toBe(true);
    expect(maySendAs({ ...known, owner: a }, 1, b)).toBe(false);
    expect(maySendAs(known, 3, a)).toBe(false);
  });

  test("is taken under a later id of a node that has lost its log, before the state says so", () => {
    expect(maySendAs(known, 4, a)).toBe(true);
  });

  test("is taken of a node that no state knows yet, and then of another one that none knows", () => {
    expect(maySendAs(known, 4, b)).toBe(true);
    expect(maySendAs({ ...known, owner: "c" as NodeId }, 4, b)).toBe(true);
  });

  test("is never taken under the id of this node itself", () => {
    expect(maySendAs(known, 2, b)).toBe(false);
  });
});
