/** Where a node looks for others, and when: decided without a clock or a connection. */
import type { DiscoveryNode } from "@orrery/cluster-state";
import { describe, expect, test } from "vitest";
import {
  discoveryStep,
  firstDiscovery,
  type DiscoveryEffect,
  type DiscoveryEvent,
  type DiscoveryState,
  type Peer,
} from "../src/discovery-step.ts";
import { node } from "./nodes.ts";

const self = node("a");
const round = { lastKnown: [], intervalMsMost: 1000 };
const activate: DiscoveryEvent = { kind: "activate", ...round };
const due: DiscoveryEvent = { kind: "round-due", ...round };
const probed = (address: string): DiscoveryEvent => ({ kind: "probed", address });
const peerOf = (of: DiscoveryNode, managerNode?: DiscoveryNode): Peer => ({
  node: of,
  hasCluster: true,
  isLogLost: false,
  clusterUuid: "",
  term: 1,
  managerNode,
});
const answered = (peer: Peer, ...known: readonly DiscoveryNode[]): DiscoveryEvent => ({
  kind: "answered",
  peer,
  known,
});
const asked = (by: DiscoveryNode, isConnected = true): DiscoveryEvent => ({
  kind: "asked",
  by,
  isConnected,
  known: [],
});

function after(
  seeds: readonly string[],
  ...events: readonly DiscoveryEvent[]
): { readonly state: DiscoveryState; readonly effects: readonly DiscoveryEffect[] } {
  let step = { state: firstDiscovery(self, seeds), effects: [] as readonly DiscoveryEffect[] };
  for (const event of events) step = discoveryStep(step.state, event);
  return step;
}

const probes = (effects: readonly DiscoveryEffect[]): string[] =>
  effects.flatMap((effect) => (effect.kind === "probe" ? [effect.address] : []));
const kinds = (effects: readonly DiscoveryEffect[]): string[] => effects.map(({ kind }) => kind);

describe("a round", () => {
  test("tries the seeds and the nodes of the last state, each once at a time", () => {
    const first = after(["b:9300"], { ...activate, lastKnown: [node("c")] });

    expect(probes(first.effects)).toEqual(["b:9300", "c:9300"]);
    expect(probes(discoveryStep(first.state, due).effects)).toEqual([]);
    const { state } = discoveryStep(first.state, probed("c:9300"));
    expect(probes(discoveryStep(state, due).effects)).toEqual(["c:9300"]);
  });

  test("comes after 10 ms, then twice as late up to the longest interval, and anew after a rest", () => {
    const delays: number[] = [];
    let { state } = after([]);
    for (const event of [
      activate,
      due,
      due,
      due,
      due,
      due,
      due,
      due,
      due,
      { kind: "deactivate" },
      activate,
    ]) {
      const step = discoveryStep(state, event as DiscoveryEvent);
      ({ state } = step);
      for (const effect of step.effects)
        if (effect.kind === "set-round") delays.push(effect.delayMs);
    }

    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, 1000, 1000, 10]);
  });

  test("that is due while the node rests does nothing", () => {
    expect(after(["b:9300"], activate, { kind: "deactivate" }, due).effects).toEqual([]);
  });
});

describe("the survey of the seeds", () => {
  test("is over when each was tried, and then for good", () => {
    const seeds = ["b:9300", "c:9300"];
    expect(kinds(after(seeds, activate, probed("b:9300")).effects)).toEqual([]);

    const { state, effects } = after(seeds, activate, probed("b:9300"), probed("c:9300"));

    expect(kinds(effects)).toEqual(["cancel-survey", "report-surveyed"]);
    expect(state.untried.size).toBe(0);
    expect(kinds(discoveryStep(state, probed("c:9300")).effects)).toEqual([]);
  });

  test("of the node's own address needs no connection", () => {
    const { effects } = after([self.transportAddress], activate);

    expect(kinds(effects)).toEqual(["set-survey", "cancel-survey", "report-surveyed", "set-round"]);
  });

  test("is over when a seed does not answer in time", () => {
    const { state, effects } = after(["b:9300"], activate, { kind: "survey-overdue" });

    expect(kinds(effects)).toEqual(["cancel-survey", "report-surveyed"]);
    expect(state.untried.size).toBe(0);
  });

  test("has one deadline until the node rests", () => {
    const sought = after(["b:9300"], activate, { kind: "deactivate" }, activate);

    expect(kinds(sought.effects)[0]).toBe("set-survey");
    expect(kinds(discoveryStep(sought.state, activate).effects)).toEqual([]);
  });
});

describe("a peer", () => {
  test("that answers is known, and the nodes that it knows are tried at once", () => {
    const peer = peerOf(node("b"), node("m"));
    const { state, effects } = after(["b:9300"], activate, answered(peer, node("c"), self));

    expect([...state.peers.keys()]).toEqual(["b-id"]);
    expect(probes(effects)).toEqual(["c:9300", "m:9300"]);
    expect(effects.at(-1)).toEqual({ kind: "report-peer", peer });
  });

  test("that is disconnected is known no more", () => {
    const { state } = after([], answered(peerOf(node("b"))), {
      kind: "disconnected",
      nodeId: node("b").id,
    });

    expect(state.peers.size).toBe(0);
  });

  test("tells of no more than 1024 addresses", () => {
    const many = Array.from({ length: 2000 }, (_, i) => node(`n${i}`));

    expect(after([], answered(peerOf(node("b")), ...many)).state.addresses.size).toBe(1024);
  });
});

describe("a node that asks", () => {
  test("is asked in return while this node seeks, also when its address is known and it has not answered", () => {
    expect(probes(after([], activate, asked(node("b"))).effects)).toEqual(["b:9300"]);
    const tried = [activate, probed("b:9300")];
    expect(probes(after(["b:9300"], ...tried, asked(node("b"))).effects)).toEqual(["b:9300"]);
    const known = [activate, answered(peerOf(node("b"))), probed("b:9300")];
    expect(probes(after(["b:9300"], ...known, asked(node("b"))).effects)).toEqual([]);
  });

  test("is connected to by a node that rests and has lost it", () => {
    expect(after([], asked(node("b"), false)).effects).toEqual([
      { kind: "connect", address: "b:9300" },
    ]);
    expect(after([], asked(node("b"), true)).effects).toEqual([]);
  });
});
