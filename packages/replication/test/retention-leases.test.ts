/** Retention leases: who keeps history, and until when. */
import { describe, expect, test } from "vitest";
import {
  addLease,
  cloneLease,
  expireLeases,
  noLeases,
  peerLeaseSource,
  removeLease,
  renewLease,
  retainedFrom,
  supersedes,
  type LeaseContext,
  type RetentionLeases,
} from "../src/index.ts";

const lease = {
  id: "peer_recovery/n1",
  retainingSeqNo: 7,
  timestampMs: 1000,
  source: peerLeaseSource,
};
const leases: RetentionLeases = { primaryTerm: 1, version: 3, leases: [lease] };

const context: LeaseContext = {
  nowMs: 2000,
  periodMs: 43_200_000,
  primaryTerm: 2,
  assignedPeerLeases: new Set(),
  allCopiesStarted: false,
  minReasonableSeqNo: 0,
};

describe("leases", () => {
  test("an added lease raises the version under the primary's term", () => {
    const outcome = addLease(noLeases, 4, lease);

    expect(outcome).toEqual({
      kind: "changed",
      leases: { primaryTerm: 4, version: 1, leases: [lease] },
    });
  });

  test("an id is there once", () => {
    expect(addLease(leases, 1, lease)).toMatchObject({
      kind: "rejected",
      error: { reason: "retention lease with ID [peer_recovery/n1] already exists" },
    });
  });

  test("a renewal cannot give up what it retains", () => {
    const outcome = renewLease(leases, 1, { ...lease, retainingSeqNo: 6 });

    expect(outcome).toMatchObject({
      error: { type: "retention_lease_invalid_retaining_seq_no_exception" },
    });
  });

  test("a missing lease cannot be removed", () => {
    expect(removeLease(noLeases, 1, "x")).toMatchObject({
      error: { type: "retention_lease_not_found_exception", status: 404 },
    });
  });

  test("a clone retains what its model does", () => {
    const outcome = cloneLease(leases, 1, { from: lease.id, to: "peer_recovery/n2", nowMs: 5000 });

    const clone = { ...lease, id: "peer_recovery/n2", timestampMs: 5000 };
    expect(outcome).toMatchObject({ leases: { leases: [lease, clone] } });
  });

  test("the lowest of them decides", () => {
    expect(retainedFrom(noLeases)).toBeUndefined();
    expect(retainedFrom(leases)).toBe(7);
  });

  test("a higher term supersedes any version", () => {
    expect(supersedes({ ...leases, primaryTerm: 2, version: 0 }, leases)).toBe(true);
    expect(supersedes(leases, leases)).toBe(false);
  });
});

describe("expiry", () => {
  test("a peer lease stays while its copy is assigned, however old", () => {
    const later = { ...context, nowMs: 1e12, assignedPeerLeases: new Set([lease.id]) };

    expect(expireLeases(leases, later)).toBeUndefined();
  });

  test("a peer lease of a node without a copy goes when all copies are started", () => {
    expect(expireLeases(leases, { ...context, allCopiesStarted: true })).toEqual({
      primaryTerm: 2,
      version: 4,
      leases: [],
    });
  });

  test("a peer lease that retains too much goes", () => {
    expect(expireLeases(leases, { ...context, minReasonableSeqNo: 8 })?.leases).toEqual([]);
  });

  test("any other lease goes after the period", () => {
    const other: RetentionLeases = { ...leases, leases: [{ ...lease, source: "ccr" }] };

    expect(expireLeases(other, context)).toBeUndefined();
    expect(expireLeases(other, { ...context, nowMs: 43_201_001 })?.leases).toEqual([]);
  });
});
