/** What a member sends that no member would: it is refused, and neither the log, the state nor the node changes. */
import { encodeEntry, encodeState, initialState, type Task } from "@orrery/cluster-state";
import {
  actions,
  encodeRaftMessage,
  ManagerElected,
  PeersRequest,
  Proposal,
  SnapshotData,
  SubmitTaskRequest,
  wireJson,
} from "@orrery/protocol";
import { messageKinds, newMessage, type Entry, type Message } from "@orrery/raft";
import { forSeedsAsync } from "@orrery/seeds";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createWorld, startThree, type Process, type World } from "./world.ts";

interface Attacked {
  readonly world: World;
  readonly elected: Process;
  readonly member: Process;
  /** What must stay as it is. */
  readonly before: string;
}

async function attacked(seed: string): Promise<Attacked> {
  const world = createWorld(seed);
  await startThree(world);
  await world.run(2000);
  const elected = world.elected() as Process;
  const member = world.processes().find((one) => one !== elected) as Process;
  return { world, elected, member, before: stateOf(elected) };
}

function stateOf({ manager }: Process): string {
  const { version, stateUuid, term } = manager.state();
  return `${version}/${stateUuid}/${term}`;
}

/** Every node goes on: a task that is in order is done by all. */
async function expectUnharmed({ world, elected, before }: Attacked): Promise<void> {
  await world.run(5000);
  expect(world.processes().map(stateOf)).toEqual([before, before, before]);
  const task: Task = {
    kind: "update-cluster-settings",
    persistent: { "cluster.max_shards_per_node": "7" },
    transient: {},
  };
  expect(await world.settle(elected.manager.submit(task))).toEqual({ acknowledged: true });
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "answered",
    (error: unknown) => (error instanceof OperationError ? error.problem.type : "broken"),
  );
}

function submission(task: Uint8Array, more: Partial<SubmitTaskRequest> = {}): Uint8Array {
  const limits = { managerTimeoutMs: 1000, ackTimeoutMs: 1000 };
  return SubmitTaskRequest.encode({ id: "x", task, ...limits, ...more }).finish();
}

const entryOf = (task: unknown): Uint8Array => encodeEntry({ tasks: [task as Task] });

describe("a task that is submitted", () => {
  test.each([
    ["is no bytes of a task", new Uint8Array([7, 8])],
    ["is of no known kind", entryOf({ kind: "format-disk" })],
    ["is of the kind of an object's own function", entryOf({ kind: "constructor" })],
    ["has no kind", entryOf({})],
    ["is null", entryOf(null)],
    ["lacks a field", entryOf({ kind: "delete-index", index: "a" })],
    ["has a number for a text", entryOf({ kind: "delete-repository", name: 7 })],
    ["is one of two", encodeEntry({ tasks: [{ kind: "follow-repositories" }] as Task[] })],
    [
      "is the elected cluster manager's own",
      entryOf({ kind: "node-left", nodeId: "x", reason: "because" }),
    ],
  ])("is refused when it %s", async (_name, task) => {
    const it = await attacked("submitted");
    for (const action of [actions.submitTask, actions.managerTask]) {
      const asked = it.member.endpoint.request(it.elected.node.id, action, submission(task));
      expect(await it.world.settle(refusal(asked))).toMatch(
        /^(illegal_argument_exception|stream_corrupted_exception)$/,
      );
    }
    await expectUnharmed(it);
  });

  test("with a priority that is none is refused, and holds up nobody", async () => {
    const it = await attacked("priority");
    const task = entryOf({ kind: "delete-repository", name: "x" });
    const payload = submission(task, { priority: "LAST" });
    const asked = it.member.endpoint.request(it.elected.node.id, actions.managerTask, payload);

    expect(await it.world.settle(refusal(asked))).toBe("illegal_argument_exception");
    await expectUnharmed(it);
  });
});

test.each([[{ id: "x" }], [{}], [null], [[1]], ["broken"], [{ id: "x", name: 7 }]])(
  "a node that is described as %j is believed by nobody",
  async (told) => {
    const node = wireJson(told);
    const it = await attacked("nodes");
    for (const process of it.world.processes()) {
      if (process === it.member) continue;
      const { id } = process.node;
      const knownNodes = [node];
      const own = wireJson(it.member.node);
      for (const request of [{ node }, { node: own, knownNodes }]) {
        const payload = PeersRequest.encode(request).finish();
        const asked = it.member.endpoint.request(id, actions.requestPeers, payload);
        expect(await it.world.settle(refusal(asked))).toBe("illegal_argument_exception");
      }
      it.member.endpoint.send(
        id,
        actions.managerElected,
        ManagerElected.encode({ node }).finish(),
        "state",
      );
    }
    await expectUnharmed(it);
  },
);

describe("a message of Raft", () => {
  const entry = (data: Uint8Array): Entry => ({ kind: "EntryNormal", term: 0, index: 0, data });

  /** As the member itself would send it, to the one that is elected. */
  const send = ({ elected, member }: Attacked, message: Partial<Message>): void => {
    const { raftIds } = elected.manager.state().metadata.coordination;
    const from = raftIds.get(member.node.id) ?? 0;
    const to = raftIds.get(elected.node.id) ?? 0;
    const bytes = encodeRaftMessage(newMessage({ kind: "MsgApp", from, to, ...message }));
    member.endpoint.send(elected.node.id, actions.consensus, bytes, "state");
  };

  test("that proposes is not taken, whatever it proposes", async () => {
    const it = await attacked("proposal");
    send(it, { kind: "MsgProp", entries: [entry(new Uint8Array([0xfe, 0x01]))] });
    send(it, { kind: "MsgProp", entries: [] });
    await expectUnharmed(it);
  });

  test("that only storage or a clock may send is not taken", async () => {
    const it = await attacked("local");
    const { term } = it.elected.manager.state();
    for (const kind of messageKinds.filter((one) => !/App$|Resp$|Vote|Heartbeat|Timeout/.test(one)))
      send(it, { kind, term });
    send(it, { kind: "MsgStorageAppendResp", from: Number.MAX_SAFE_INTEGER, index: 1, logTerm: 1 });
    await expectUnharmed(it);
  });

  test("that says it holds more than there is commits nothing", async () => {
    const it = await attacked("ahead");
    const { term } = it.elected.manager.state();
    send(it, { kind: "MsgAppResp", term, index: 1_000_000 });
    send(it, { kind: "MsgAppResp", term, index: 5, reject: true, rejectHint: 2 ** 52, logTerm: 1 });
    await expectUnharmed(it);
  });

  test("in the name of another member is not taken", async () => {
    const it = await attacked("forged");
    const { term, metadata } = it.elected.manager.state();
    const others = [...metadata.coordination.raftIds.values()];
    for (const from of [...others.filter((id) => id !== others[1]), 0, 99])
      if (metadata.coordination.raftIds.get(it.member.node.id) !== from)
        send(it, { kind: "MsgVote", from, term: term + 50, index: 2 ** 40, logTerm: term + 50 });
    await expectUnharmed(it);
  });

  test("whose entries or snapshot nobody could apply is not taken by a follower", async () => {
    const it = await attacked("entries");
    const { member, elected } = it;
    const { term, metadata } = elected.manager.state();
    const idOf = ({ node }: Process): number => metadata.coordination.raftIds.get(node.id) ?? 0;
    const common = { from: idOf(elected), to: idOf(member), term: term + 0 };
    const wrong = [
      new Uint8Array([1, 2]),
      Proposal.encode({ entry: new Uint8Array([1, 123]) }).finish(),
      Proposal.encode({ entry: entryOf({ kind: "delete-index" }) }).finish(),
    ];
    for (const data of wrong) {
      const bad: Entry = { kind: "EntryNormal", term, index: 1_000, data };
      const message = newMessage({ kind: "MsgApp", ...common, index: 999, entries: [bad] });
      const bytes = encodeRaftMessage(message);
      elected.endpoint.send(member.node.id, actions.consensus, bytes, "state");
    }
    const state = encodeState(initialState("x")).slice();
    const states = [utf8Encode("?"), state.slice(0, 40), new Uint8Array([1, 123, 125])];
    for (const bytes of states) {
      const snapshot = {
        index: 5000,
        term,
        confState: {
          voters: [common.from, common.to],
          learners: [],
          votersOutgoing: [],
          learnersNext: [],
          autoLeave: false,
        },
        data: SnapshotData.encode({ state: bytes }).finish(),
      };
      const message = encodeRaftMessage(newMessage({ kind: "MsgSnap", ...common, snapshot }));
      const asked = elected.endpoint.request(member.node.id, actions.consensusSnapshot, message);
      expect(await it.world.settle(refusal(asked))).not.toBe("answered");
    }
    await expectUnharmed(it);
  });
});

test("bytes of any kind for any action change nothing, and every node still answers", async () => {
  await forSeedsAsync(8, async (random) => {
    const it = await attacked(`any-${random.int(0, 1e9)}`);
    for (let i = 0; i < 60; i += 1) {
      const to = random.pick(it.world.processes()).node.id;
      const action = random.pick(Object.values(actions));
      const payload = random.bytes(random.int(0, 60));
      if (random.int(0, 1) === 0) it.member.endpoint.send(to, action, payload);
      else void it.member.endpoint.request(to, action, payload, { timeoutMs: 500 }).catch(ignore);
    }
    await expectUnharmed(it);
  });
});

function ignore(error: unknown): void {
  if (!(error instanceof OperationError)) throw error;
}
