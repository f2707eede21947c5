/** Reads without writes: who has to answer what before a read is served (INV-READ-1). */
import { utf8Encode } from "@orrery/stdx";
import { beforeEach, describe, expect, test } from "vitest";
import { emptyConfState, newMessage, type Message } from "../src/index.ts";
import {
  addNodes,
  createEnvironment,
  deliverMessages,
  nodeAt,
  processReady,
  stabilize,
  type ConfigChoices,
  type Environment,
} from "./interaction/environment.ts";

let env: Environment;
const all = [1, 2, 3];

function elect(choices: ConfigChoices = {}, learners: readonly number[] = []): void {
  env = createEnvironment();
  const confState = { ...emptyConfState, voters: all, learners };
  const snapshot = { index: 10, term: 1, confState, data: utf8Encode("") };
  addNodes(env, 3 + learners.length, { ...choices, applied: 10 }, snapshot);
  nodeAt(env, 1).rawNode.campaign();
  stabilize(env, [...all, ...learners]);
  env.output.take();
}

const read = (id: number, context: string): void =>
  nodeAt(env, id).rawNode.readIndex(utf8Encode(context));

/** The reads answered on the node since the last look, as "index context". */
function answers(id: number): string[] {
  const { raft } = nodeAt(env, id);
  const states = raft.readStates.map(
    ({ index, requestContext }) => `${index} ${String.fromCharCode(...requestContext)}`,
  );
  raft.readStates = [];
  return states;
}

/** Hands each message in flight to its receiver, as often as asked. */
function exchange(filter: (message: Message) => boolean = () => true, times = 1): void {
  for (const { id } of env.nodes.map(({ config }) => config)) {
    const { raft } = nodeAt(env, id);
    env.messages.push(...raft.messages, ...raft.messagesAfterAppend);
    raft.messages = [];
    raft.messagesAfterAppend = [];
  }
  const messages = env.messages.filter(filter);
  env.messages = [];
  for (const message of messages) {
    for (let time = 0; time < times; time += 1) nodeAt(env, message.to).rawNode.step(message);
  }
}

describe("INV-READ-1: a safe read", () => {
  beforeEach(() => elect());

  test("is answered once a quorum has answered a heartbeat sent after it", () => {
    read(1, "a");
    expect(answers(1)).toEqual([]);

    exchange(({ to }) => to === 2);
    expect(answers(1)).toEqual([]);
    exchange();

    expect(answers(1)).toEqual(["11 a"]);
  });

  test("at a follower goes through the leader", () => {
    read(3, "b");
    exchange();
    exchange();
    exchange();
    exchange();

    expect(answers(3)).toEqual(["11 b"]);
    expect(answers(1)).toEqual([]);
  });

  test("is not answered by answers to earlier heartbeats, even if clients reuse a context", () => {
    read(1, "same");
    exchange(({ to }) => to === 2);
    const late = [...nodeAt(env, 2).raft.messages];
    exchange();
    expect(answers(1)).toEqual(["11 same"]);

    read(1, "same");
    for (const message of [...late, ...late]) nodeAt(env, 1).rawNode.step(message);

    expect(answers(1)).toEqual([]);
  });

  test("counts each node once, however often its answer arrives", () => {
    env = createEnvironment();
    const confState = { ...emptyConfState, voters: [1, 2, 3, 4, 5] };
    const snapshot = { index: 10, term: 1, confState, data: utf8Encode("") };
    addNodes(env, 5, { applied: 10 }, snapshot);
    nodeAt(env, 1).rawNode.campaign();
    stabilize(env, [1, 2, 3, 4, 5]);

    read(1, "a");
    exchange(({ to }) => to === 2);
    exchange(() => true, 3);

    expect(answers(1)).toEqual([]);
  });

  test("is not answered by learners", () => {
    elect({}, [4]);

    read(1, "a");
    exchange(({ to }) => to === 4);
    exchange();

    expect(answers(1)).toEqual([]);
  });

  test("is answered with those before it when the later heartbeat is answered", () => {
    read(1, "a");
    exchange(() => false);
    nodeAt(env, 1).rawNode.propose(utf8Encode("x"));
    stabilize(env, all);
    read(1, "b");
    exchange();
    exchange();

    expect(answers(1)).toEqual(["11 a", "12 b"]);
  });

  test("is asked again with the next periodic heartbeat when the first got lost", () => {
    read(1, "a");
    exchange(() => false);
    nodeAt(env, 1).rawNode.tick();
    exchange();
    exchange();

    expect(answers(1)).toEqual(["11 a"]);
  });

  test("is forgotten by a leader that steps down", () => {
    read(1, "a");
    exchange(() => false);
    nodeAt(env, 1).rawNode.step(newMessage({ kind: "MsgHeartbeat", from: 2, to: 1, term: 9 }));

    expect(nodeAt(env, 1).raft.readOnly.queue).toEqual([]);
  });

  test("waits for the leader's first commit in its term", () => {
    nodeAt(env, 2).rawNode.campaign();
    processReady(env, 2);
    deliverMessages(env, undefined, [{ id: 3, drop: false }]);
    processReady(env, 3);
    deliverMessages(env, undefined, [{ id: 2, drop: false }]);
    expect(nodeAt(env, 2).raft.role).toBe("StateLeader");

    read(2, "early");
    expect(nodeAt(env, 2).raft.readOnly.queue).toEqual([]);
    stabilize(env, all);

    expect(env.output.take()).toContain("ReadStates [{12 [101 97 114 108 121]}]");
  });
});

test("the only voter answers a read at once", () => {
  env = createEnvironment();
  const confState = { ...emptyConfState, voters: [1] };
  addNodes(env, 1, { applied: 10 }, { index: 10, term: 1, confState, data: utf8Encode("") });
  nodeAt(env, 1).rawNode.campaign();
  stabilize(env, [1]);

  read(1, "a");

  expect(answers(1)).toEqual(["11 a"]);
});

test("with a lease the leader answers at once", () => {
  elect({ readOnlyOption: "lease-based", checkQuorum: true });

  read(1, "a");

  expect(answers(1)).toEqual(["11 a"]);
});
