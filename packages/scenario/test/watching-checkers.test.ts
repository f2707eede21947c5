/** Each checker that watches events lets a healthy run pass and finds the violation that was planted. */
import { describe, expect, test } from "vitest";
import { sentenceOf } from "../src/checkers/checker.ts";
import { coreCheckers } from "../src/checkers/compose.ts";
import type { NewsEvent } from "../src/watchers.ts";
import { checkerNamed, createTestWorld, scenario, startTestWorld } from "./world.ts";

const { world } = createTestWorld();

type Planted = { readonly kind: NewsEvent["kind"] } & Readonly<
  Record<string, string | number | boolean>
>;

/** What a checker says after each event, without those it says nothing to. */
function watch(name: string, events: readonly Planted[]): readonly string[] {
  const see = checkerNamed(name).start?.(world, scenario);
  const findings = events.map((event) =>
    sentenceOf(see?.({ at_ms: 0, node: "node-1", ...event } as unknown as NewsEvent)),
  );
  return findings.filter((finding) => finding !== undefined);
}

const watching = [...coreCheckers.keys()].filter((name) => checkerNamed(name).start !== undefined);

test("a healthy cluster that starts and writes is never found fault with", async () => {
  const { events } = await startTestWorld();

  const findings = watching.flatMap((name) => watch(name, events as unknown as Planted[]));

  expect(findings).toEqual([]);
  const seen = new Set(events.map(({ kind }) => kind));
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "log-entry-saved",
      "log-entry-applied",
      "cluster-state-applied",
      "cluster-state-published",
      "shard-copies-changed",
    ]),
  );
});

describe("nothing-is-unforeseen", () => {
  const logged = (message: string): Planted => ({ kind: "log", level: "warn", message });

  test("finds an error of the language, wherever it was caught", () => {
    const events = [
      logged(
        "[books][0] unexpected failure of a request: TypeError: x is undefined\n    at f (a.js)",
      ),
      logged("[books][0] failed engine: exception: RangeError: too deep"),
      logged("GET /_search: Error: one request is one operation"),
    ];

    expect(watch("nothing-is-unforeseen", events)).toEqual([
      "node-1 met TypeError: x is undefined",
      "node-1 met RangeError: too deep",
      "node-1 met Error: one request is one operation",
    ]);
  });

  test("holds for errors of disks, peers and requests", () => {
    const events = [
      logged("cannot keep the cluster state: DiskError: no space left on device"),
      logged("[books][0] cannot follow: index_closed_exception: closed"),
    ];

    expect(watch("nothing-is-unforeseen", events)).toEqual([]);
  });
});

describe("log-matching", () => {
  const saved = (
    node: string,
    index: number,
    term: number,
    digest: number,
    previousTerm = 1,
  ): Planted => ({
    kind: "log-entry-saved",
    ...{ node, nodeId: node, index, term, digest, previousTerm },
  });
  const applied = (
    node: string,
    index: number,
    term: number,
    digest: number,
    voters = 0,
  ): Planted => ({
    kind: "log-entry-applied",
    ...{ node, nodeId: node, index, term, digest, voters },
  });

  test("finds an entry that is applied before a majority has it", () => {
    const before = [saved("node-1", 5, 1, 7), saved("node-1", 6, 1, 8)];
    const after = [applied("node-1", 5, 1, 7, 3), applied("node-1", 6, 1, 8, 3)];

    // Who has an entry has those before it; one voter of two may have been the only one before.
    expect(watch("log-matching", [...before, saved("node-2", 6, 1, 8), ...after])).toEqual([]);
    expect(watch("log-matching", [...before, applied("node-1", 5, 1, 7, 2)])).toEqual([]);
    expect(watch("log-matching", [...before, saved("node-2", 5, 1, 7), ...after])).toEqual([
      "log index 6 of term 1 is applied on node-1, and of 3 voters only [node-1] have it durably",
    ]);
  });

  test("holds while an entry of a higher term replaces one that was not applied", () => {
    const events = [saved("node-1", 5, 1, 7), saved("node-2", 5, 2, 8), applied("node-2", 5, 2, 8)];

    expect(watch("log-matching", [...events, applied("node-1", 5, 2, 8)])).toEqual([]);
  });

  test("finds an entry of the same term with another content", () => {
    expect(watch("log-matching", [saved("node-1", 5, 1, 7), saved("node-2", 5, 1, 8)])).toEqual([
      "log index 5 of term 1 differs on node-1 and node-2",
    ]);
  });

  test("finds an entry that follows another term", () => {
    const events = [saved("node-1", 5, 3, 7, 1), saved("node-2", 5, 3, 7, 2)];

    expect(watch("log-matching", events)).toEqual([
      "log index 5 of term 3 follows term 1 on node-1 and 2 on node-2",
    ]);
  });

  test("finds an index that is applied with two contents", () => {
    const events = [applied("node-1", 5, 1, 7), applied("node-2", 5, 2, 8)];

    expect(watch("log-matching", events)).toEqual([
      "log index 5 was applied as of term 1 on node-1, and otherwise as of term 2 on node-2",
    ]);
  });
});

describe("state-versions-grow", () => {
  const applied = (node: string, version: number, stateUuid = `uuid-${version}`): Planted => ({
    kind: "cluster-state-applied",
    ...{ node, nodeId: node, term: 1, version, stateUuid },
  });
  const published = (node: string, term: number, version: number): Planted => ({
    kind: "cluster-state-published",
    ...{ node, nodeId: node, term, version },
  });

  test("holds while a node applies its log again after a crash, and a new term takes a lost version again", () => {
    const crash: Planted = { kind: "node-crashed", node: "node-1" };
    const events = [applied("node-1", 5), crash, applied("node-1", 4), published("node-1", 1, 6)];

    expect(watch("state-versions-grow", [...events, published("node-2", 2, 6)])).toEqual([]);
  });

  test("finds a version that falls on a running node", () => {
    expect(watch("state-versions-grow", [applied("node-1", 5), applied("node-1", 5)])).toEqual([
      "node-1 applied version 5 after version 5",
    ]);
  });

  test("finds one version with two states", () => {
    const events = [applied("node-1", 5, "a"), applied("node-2", 5, "b")];

    expect(watch("state-versions-grow", events)).toEqual([
      "version 5 is [a] elsewhere and [b] on node-2",
    ]);
  });

  test("finds a publication that does not go beyond what its publisher has applied", () => {
    expect(watch("state-versions-grow", [applied("node-1", 5), published("node-1", 2, 5)])).toEqual(
      ["node-1 published version 5 in term 2, although there was version 5"],
    );
  });
});

describe("in-sync-rules", () => {
  const copies = (version: number, given: Partial<Planted>): Planted => ({
    kind: "shard-copies-changed",
    ...{ nodeId: "n", version, index: "books", indexUuid: "u", shard: 0, primaryTerm: 1 },
    ...{ primary: "a", isRelocated: false, recoverySource: "", active: "a,b", inSync: "a,b" },
    ...given,
  });
  const rules = (...events: readonly Planted[]): readonly string[] =>
    watch("in-sync-rules", events);

  test("holds while an in-sync copy is promoted, and a relocation hands over without a new term", () => {
    const promoted = copies(2, { primary: "b", primaryTerm: 2, active: "b" });
    const moved = { primary: "c", primaryTerm: 2, active: "c", inSync: "a,b,c", isRelocated: true };

    expect(rules(copies(1, {}), promoted, copies(3, moved))).toEqual([]);
  });

  test("counts each version once, whoever tells it", () => {
    const promoted = copies(2, { primary: "b", primaryTerm: 2, active: "b" });

    expect(rules(copies(1, {}), promoted, copies(1, {}))).toEqual([]);
  });

  test("lets a primary made of nothing start a new history", () => {
    const empty = { primary: "", active: "", inSync: "", recoverySource: "EMPTY_STORE" };
    const started = copies(3, { primary: "z", primaryTerm: 2, active: "z", inSync: "z" });

    expect(rules(copies(1, {}), copies(2, { ...empty, primaryTerm: 2 }), started)).toEqual([]);
  });

  test("lets an index that dangled come back as it was known there, once", () => {
    const old = { primary: "", active: "", inSync: "x", primaryTerm: 1 };
    const imported = copies(8, { ...old, isImported: true });
    const started = copies(9, { primary: "x", active: "x", inSync: "x" });
    const late = copies(8, { ...old, isImported: true });
    const fallen = copies(10, { primary: "x", active: "x", inSync: "x", primaryTerm: 0 });

    expect(rules(copies(1, { primaryTerm: 3 }), imported, started, late, fallen)).toEqual([
      "books/0: the primary term fell from 1 to 0",
    ]);
  });

  test("finds a primary that was not in sync", () => {
    const stale = copies(2, { primary: "c", primaryTerm: 2, active: "c", inSync: "a,b,c" });

    expect(rules(copies(1, {}), stale)).toEqual([
      "books/0: [c] became primary and was not in the in-sync set [a,b]",
    ]);
  });

  test("finds a promotion under the old primary term", () => {
    const gone = copies(2, { primary: "", active: "b" });

    expect(rules(copies(1, {}), gone, copies(3, { primary: "b", active: "b" }))).toEqual([
      "books/0: [b] became primary in the primary term 1 of [a]",
    ]);
  });

  test("finds a primary term that falls", () => {
    expect(rules(copies(1, { primaryTerm: 3 }), copies(2, { primaryTerm: 2 }))).toEqual([
      "books/0: the primary term fell from 3 to 2",
    ]);
  });

  test("finds a copy that comes into the in-sync set before it is active", () => {
    expect(rules(copies(1, {}), copies(2, { inSync: "a,b,c" }))).toEqual([
      "books/0: [c] is in the in-sync set and was never active",
    ]);
  });

  test("finds an active copy that is not in sync", () => {
    expect(rules(copies(1, {}), copies(2, { active: "a,b,c" }))).toEqual([
      "books/0: the active copy [c] is not in the in-sync set",
    ]);
  });
});

describe("in-sync-rules, of copies that are let in", () => {
  const letIn = (localCheckpoint: number, globalCheckpoint: number): Planted => ({
    kind: "copy-let-in",
    ...{ nodeId: "n", index: "books", shard: 0, allocationId: "b" },
    ...{ localCheckpoint, globalCheckpoint },
  });

  test("lets in who has everything up to the global checkpoint", () => {
    expect(watch("in-sync-rules", [letIn(7, 7), letIn(8, 7)])).toEqual([]);
  });

  test("finds a copy that lacks something", () => {
    expect(watch("in-sync-rules", [letIn(6, 7)])).toEqual([
      "books/0: [b] was let in with everything up to 6, and the global checkpoint is 7",
    ]);
  });
});

describe("decommissioned-zone-is-empty", () => {
  const moved = (status: string): Planted => ({
    kind: "decommission-status-changed",
    ...{ nodeId: "n", attribute: "zone", value: "a", status, requestId: "r" },
  });
  const crash: Planted = { kind: "node-crashed", node: "node-1" };

  test("holds while a decommission goes on, fails and ends, and a node applies it again after a crash", () => {
    const events = [moved("init"), moved("draining"), crash, moved("init"), moved("in_progress")];

    expect(
      watch("decommissioned-zone-is-empty", [...events, moved("failed"), moved("none")]),
    ).toEqual([]);
  });

  test("lets one that was undone begin again, but not go on", () => {
    const undone = [moved("init"), moved("none")];
    expect(watch("decommissioned-zone-is-empty", [...undone, moved("init")])).toEqual([]);
    expect(watch("decommissioned-zone-is-empty", [...undone, moved("draining")])).toEqual([
      "on node-1 the decommission of [a] went from [none] to [draining]",
    ]);
  });

  test("finds a status that goes back", () => {
    expect(
      watch("decommissioned-zone-is-empty", [moved("successful"), moved("in_progress")]),
    ).toEqual(["on node-1 the decommission of [a] went from [successful] to [in_progress]"]);
  });
});

describe("snapshot-status-never-goes-backwards", () => {
  const shard = (state: string, node = "node-1"): Planted => ({
    kind: "snapshot-state-changed",
    ...{ node, operation: "snapshot", repository: "safe", snapshot: "first", uuid: "u" },
    ...{ index: "books", shard: 0, state },
  });
  const elected = (node: string, term: number): Planted => ({
    kind: "cluster-manager-elected",
    ...{ node, nodeId: node, term },
  });
  const judge = (...events: readonly Planted[]): readonly string[] =>
    watch("snapshot-status-never-goes-backwards", events);

  test("holds while a shard goes on, and the next cluster manager reports it again", () => {
    const begun = [elected("node-1", 1), shard("QUEUED"), shard("INIT")];
    const taken = [elected("node-2", 2), shard("INIT", "node-2"), shard("SUCCESS", "node-2")];

    expect(judge(...begun, ...taken)).toEqual([]);
  });

  test("lets one that was elected before tell late what it applied", () => {
    const taken = [elected("node-1", 1), elected("node-2", 2), shard("SUCCESS", "node-2")];

    expect(judge(...taken, shard("INIT", "node-1"))).toEqual([]);
  });

  test("finds a shard that begins again under the next cluster manager", () => {
    const ended = [elected("node-1", 1), shard("SUCCESS"), elected("node-2", 2)];

    expect(judge(...ended, shard("INIT", "node-2"))).toEqual([
      "the snapshot [safe:first], of books/0 went from [SUCCESS] to [INIT], as node-2 tells",
    ]);
  });

  test("finds an end that becomes another", () => {
    expect(judge(shard("FAILED"), shard("SUCCESS"))).toHaveLength(1);
  });
});

describe("no-dangling-import-overwrites", () => {
  const index = (indexUuid: string, version = 1): Planted => ({
    kind: "shard-copies-changed",
    ...{ nodeId: "n", version, index: "books", indexUuid, shard: 0, primaryTerm: 1 },
    ...{ primary: "a", isRelocated: false, recoverySource: "", active: "a", inSync: "a" },
  });
  const imported = (indexUuid: string): Planted => ({
    kind: "dangling-index-imported",
    ...{ nodeId: "n", index: "books", indexUuid },
  });
  const request = { node: "", client: "c", id: 1 };
  const asks = (operation: string): Planted => ({ ...request, kind: "client-request", operation });
  const told = (outcome: string): Planted => ({
    ...request,
    kind: "client-response",
    ...{ status: 200, outcome },
  });
  const judge = (...events: readonly Planted[]): readonly string[] =>
    watch("no-dangling-import-overwrites", events);

  test("holds for an index that is imported under a name that is free", () => {
    const deletion = [index("u"), asks("DELETE /books"), told("ok")];

    expect(judge(index("v"), imported("v"))).toEqual([]);
    expect(judge(...deletion, index("v"), imported("v"))).toEqual([]);
  });

  test("lets an index come back whose deletion nobody was told of", () => {
    const deletion = [index("u"), asks("DELETE /books?timeout=1s"), told("unknown")];

    expect(judge(...deletion, index("u"), imported("u"))).toEqual([]);
  });

  test("lets one that was deleted come back when a client asks for it", () => {
    const deletion = [index("u"), asks("DELETE /books"), told("ok")];
    const wish = asks("POST /_dangling/u?accept_data_loss=true");

    expect(judge(...deletion, wish, index("u"), imported("u"))).toEqual([]);
  });

  test("lets a node that starts again tell of versions before a deletion", () => {
    const history = [index("u", 1), asks("DELETE /books"), told("ok"), index("v", 3)];
    const deletion = [asks("DELETE /books"), told("ok"), index("v", 4)];
    const again = [index("u", 1), index("v", 3), index("v", 4)];
    const wish = asks("POST /_dangling/v?accept_data_loss=true");

    expect(judge(...history, ...deletion, ...again, wish, index("v", 6), imported("v"))).toEqual(
      [],
    );
  });

  test("lets a node that starts again tell of an index that came back and was deleted once more", () => {
    const applied = (version: number): Planted => ({
      kind: "cluster-state-applied",
      ...{ nodeId: "n", term: 1, version, stateUuid: `${version}` },
    });
    const deletion = [asks("DELETE /books"), told("ok")];
    const wish = asks("POST /_dangling/u?accept_data_loss=true");
    const back = [index("u", 1), ...deletion, wish, index("u", 3), imported("u")];
    const again = [...deletion, applied(5), index("u", 4)];

    expect(judge(...back, ...again, index("v", 6), imported("v"))).toEqual([]);
  });

  test("lets a node tell of an index that came back until its next deletion is applied", () => {
    const deletion = [asks("DELETE /books"), told("ok")];
    const wish = asks("POST /_dangling/u?accept_data_loss=true");
    const back = [index("u", 1), ...deletion, wish, index("u", 3), imported("u")];
    const again = [asks("DELETE /books"), index("u", 4), told("ok")];

    expect(judge(...back, ...again, index("v", 6), imported("v"))).toEqual([]);
  });

  test("finds one that takes the place of another whose deletion was refused", () => {
    const refusal: Planted = { ...told("failed"), status: 403 } as Planted;
    const refused = [index("u", 1), asks("DELETE /books"), refusal, index("u", 2)];

    expect(judge(...refused, index("v", 3), imported("v"))).toEqual([
      "[books/v] was imported from a disk in the place of [books/u]",
    ]);
  });

  test("finds one that takes the place of another", () => {
    expect(judge(index("u"), index("v"), imported("v"))).toEqual([
      "[books/v] was imported from a disk in the place of [books/u]",
    ]);
  });

  test("finds one that was deleted", () => {
    const deletion = [index("u"), asks("DELETE /books"), told("ok")];
    const buried = [asks("DELETE /_dangling/v?accept_data_loss=true"), told("ok")];

    expect(judge(...deletion, index("u"), imported("u"))).toEqual([
      "[books/u] was deleted and has been imported from a disk",
    ]);
    expect(judge(...buried, index("v"), imported("v"))).toEqual([
      "[books/v] was deleted and has been imported from a disk",
    ]);
  });
});

describe("leased-history-is-kept", () => {
  const trimmed = (retainedFrom: number, leasedFrom: number): Planted => ({
    kind: "history-trimmed",
    ...{ nodeId: "n", index: "books", shard: 0, allocationId: "a", retainedFrom, leasedFrom },
  });

  test("holds while history is trimmed that no lease retains", () => {
    expect(watch("leased-history-is-kept", [trimmed(7, -1), trimmed(7, 7)])).toEqual([]);
  });

  test("finds leased history that is gone", () => {
    expect(watch("leased-history-is-kept", [trimmed(8, 7)])).toEqual([
      "the copy of books/0 on node-1 keeps history from 8 on, although a lease asks for it from 7 on",
    ]);
  });
});
