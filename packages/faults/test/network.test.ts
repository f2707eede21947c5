/** What each fault of the network does to frames between two nodes. */
import { decodeFrame, encodeFrame, type Connection, type FrameKind } from "@orrery/ports";
import { createRandom } from "@orrery/stdx";
import { createMemoryHub } from "@orrery/transport-memory";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createFaultState,
  withNetworkFaults,
  type FaultState,
  type ActiveRule,
} from "../src/index.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

type Seen = string[];

let time: VirtualClock;
let states: readonly FaultState[];
let connection: Connection;
let near: Seen;
let far: Seen;
let farConnection: Connection;
let open: (from: string, to: string) => { connection: Connection; seen: Seen };

const frame = (name: string, kind: FrameKind = "request", size = 0): Uint8Array =>
  encodeFrame(
    {
      kind,
      correlationId: 1,
      from: "",
      to: "",
      endpoint: 0,
      action: name,
      shard: "",
      timeoutMs: 0,
    },
    new Uint8Array(size),
  );
const text = new TextDecoder();
const nameOf = (bytes: Uint8Array): string => {
  const { kind, action, payload } = decodeFrame(bytes);
  if (kind !== "error") return action;
  return `${action} ${(JSON.parse(text.decode(payload)) as { status: number }).status}`;
};

function set(...faults: readonly ActiveRule[]): void {
  for (const state of states) state.set(faults);
}

const effects = (id: string): number =>
  states.reduce((sum, state) => sum + (state.hits.get(id) ?? 0), 0);

const both = { links: { from: ["a"], to: ["b"], both: true } };
const always = { ...both, perMille: 1000 };

beforeEach(async () => {
  time = createVirtualClock();
  const hub = createMemoryHub();
  const made: FaultState[] = [];
  const networks = new Map(
    ["a", "b", "c"].map((self) => {
      const state = createFaultState();
      made.push(state);
      const random = createRandom(`faults-${self}`);
      const options = { self, state, random, clock: time.clock, nameOf: (name: string) => name };
      return [self, withNetworkFaults(hub.network(self), options)];
    }),
  );
  states = made;
  far = [];
  const record = (seen: Seen) => ({
    onOpen: () => void seen.push("open"),
    onFrame: (bytes: Uint8Array) => void seen.push(nameOf(bytes)),
    onClose: (reason: string) => void seen.push(`closed: ${reason}`),
  });
  await networks.get("b")?.listen((accepted) => {
    farConnection = accepted;
    return record(far);
  });
  open = (from, to) => {
    const seen: Seen = [];
    const opened = networks.get(from)?.connect(to, "reg", record(seen));
    if (opened === undefined) throw new Error(`no network [${from}]`);
    return { connection: opened, seen };
  };
  ({ connection, seen: near } = open("a", "b"));
  await time.advance(0);
});

describe("cut", () => {
  test("holds frames of both directions, and lets them go in order when it ends", async () => {
    set({ id: "1", kind: "cut", ...both });
    connection.send(frame("x:1"));
    connection.send(frame("x:2"));
    farConnection.send(frame("y:1"));
    await time.advance(1000);
    const during = [[...far], [...near]];

    set();
    connection.send(frame("x:3"));
    await time.advance(0);

    expect(during).toEqual([["open"], ["open"]]);
    expect([far, near]).toEqual([
      ["open", "x:1", "x:2", "x:3"],
      ["open", "y:1"],
    ]);
    expect(effects("1")).toBeGreaterThan(0);
  });

  test("in one direction lets the other direction through", async () => {
    set({ id: "1", kind: "cut", links: { ...both.links, both: false } });

    connection.send(frame("x:1"));
    farConnection.send(frame("y:1"));
    await time.advance(1000);

    expect([far, near]).toEqual([["open"], ["open", "y:1"]]);
  });

  test("between other nodes changes nothing", async () => {
    set({ id: "1", kind: "cut", links: { from: ["c"], to: ["b"], both: true } });

    connection.send(frame("x:1"));
    await time.advance(0);

    expect([far, effects("1")]).toEqual([["open", "x:1"], 0]);
  });

  test("keeps a connection from opening until it ends", async () => {
    set({ id: "1", kind: "cut", ...both });
    const late = open("a", "b");
    late.connection.send(frame("x:1"));
    await time.advance(1000);
    const during = [...late.seen];

    set();
    await time.advance(0);

    expect([during, late.seen, far]).toEqual([[], ["open"], ["open", "open", "x:1"]]);
  });

  test("hides the close of an end, which comes behind what was held", async () => {
    set({ id: "1", kind: "cut", ...both });
    connection.send(frame("x:1"));
    connection.close();
    await time.advance(1000);
    const during = [[...near], [...far]];

    set();
    await time.advance(0);

    expect(during).toEqual([["open", "closed: closed by this node"], ["open"]]);
    expect(far).toEqual(["open", "x:1", "closed: closed by [a]"]);
  });

  test("answers full when too much waits, and tells of the room again", async () => {
    set({ id: "1", kind: "cut", ...both });
    const large = frame("x:1", "request", 8 * 1024 * 1024);
    const outcomes = Array.from({ length: 5 }, () => connection.send(large));

    set();
    await time.advance(0);

    expect(outcomes).toEqual(["accepted", "accepted", "accepted", "full", "full"]);
    expect(far).toHaveLength(4);
    expect(connection.send(large)).toBe("accepted");
  });
});

describe("delay", () => {
  test("a delay is drawn for each frame, and order is kept", async () => {
    set({ id: "1", kind: "delay", ...both, lowMs: 50, highMs: 100 });

    for (const name of ["x:1", "x:2", "x:3"]) connection.send(frame(name));
    await time.advance(49);
    const before = [...far];
    await time.advance(51);

    expect([before, far]).toEqual([["open"], ["open", "x:1", "x:2", "x:3"]]);
    expect(effects("1")).toBe(3);
  });
});

describe("lose", () => {
  test("a lost one-way frame is gone alone, a lost request takes its connection with it", async () => {
    set({ id: "1", kind: "lose", ...always });

    connection.send(frame("x:1", "one-way"));
    await time.advance(0);
    const after = [...near];
    connection.send(frame("x:2"));
    await time.advance(0);

    expect(after).toEqual(["open"]);
    expect(near).toEqual(["open", "closed: connection reset"]);
    expect(far).toEqual(["open", "closed: closed by [a]"]);
    expect(effects("1")).toBe(2);
  });

  test("loss of some frames lets others through", async () => {
    set({ id: "1", kind: "lose", ...both, perMille: 300 });

    for (let i = 0; i < 100; i += 1) connection.send(frame("x:1", "one-way"));
    await time.advance(0);

    expect(far.length - 1).toBe(100 - effects("1"));
    expect(effects("1")).toBeGreaterThan(10);
    expect(effects("1")).toBeLessThan(60);
  });
});

describe("duplicate", () => {
  test("only one-way frames arrive twice", async () => {
    set({ id: "1", kind: "duplicate", ...always });

    connection.send(frame("x:1", "one-way"));
    connection.send(frame("x:2", "response"));
    await time.advance(0);

    expect(far).toEqual(["open", "x:1", "x:1", "x:2"]);
  });
});

describe("reorder", () => {
  test("only one-way frames are overtaken", async () => {
    set({ id: "1", kind: "reorder", ...always });

    connection.send(frame("x:1", "one-way"));
    connection.send(frame("x:2"));
    await time.advance(20);

    expect(far).toEqual(["open", "x:2", "x:1"]);
  });
});

describe("throttle", () => {
  test("throttling keeps the line busy with each frame's bytes", async () => {
    set({ id: "1", kind: "throttle", ...both, bytesPerSecond: 1000 });

    connection.send(frame("x:1", "request", 500));
    connection.send(frame("x:2", "request", 500));
    await time.advance(490);
    const before = [...far];
    await time.advance(100);
    const between = [...far];
    await time.advance(500);

    expect([before, between, far]).toEqual([["open"], ["open", "x:1"], ["open", "x:1", "x:2"]]);
  });
});

describe("reset", () => {
  test("a reset breaks the connection that a frame is on, at both ends", async () => {
    set({ id: "1", kind: "reset", ...always });

    connection.send(frame("x:1", "one-way"));
    await time.advance(0);

    expect(near).toEqual(["open", "closed: connection reset"]);
    expect(far).toEqual(["open", "closed: closed by [a]"]);
    expect(effects("1")).toBe(1);
  });
});

describe("reject", () => {
  test("rejected requests are answered with 429 and never get there; others do", async () => {
    const seen = open("a", "b");
    await time.advance(0);
    set({ id: "1", kind: "reject", ...always, actions: ["x:1"] });

    seen.connection.send(frame("x:1"));
    seen.connection.send(frame("x:2"));
    await time.advance(0);

    expect(far).toEqual(["open", "open", "x:2"]);
    expect(seen.seen).toEqual(["open", "x:1 429"]);
  });
});

describe("drop", () => {
  test("frames of one action vanish, their answers too", async () => {
    set({ id: "1", kind: "drop", ...always, actions: ["x:*"] });

    for (const name of ["x:1", "y:1", "x:2"]) connection.send(frame(name));
    farConnection.send(frame("x:3", "response"));
    await time.advance(0);

    expect([far, near]).toEqual([["open", "y:1"], ["open"]]);
    expect(effects("1")).toBe(3);
  });
});

describe("slow", () => {
  test("a slow node's frames are late in both directions", async () => {
    set({ id: "1", kind: "slow", node: "b", delayMs: 10 });

    connection.send(frame("x:1"));
    farConnection.send(frame("y:1"));
    await time.advance(9);
    const before = [[...far], [...near]];
    await time.advance(1);

    expect(before).toEqual([["open"], ["open"]]);
    expect([far, near]).toEqual([
      ["open", "x:1"],
      ["open", "y:1"],
    ]);
  });
});
