/** The contract of the Network port. */
import { AssertionError, OperationError } from "@orrery/stdx";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
  type Network,
} from "../src/index.ts";
import { completed, type Settle } from "./settle.ts";

export interface NetworkWorld {
  readonly near: Network;
  readonly far: Network;
  /** Where nobody listens. */
  readonly deadAddress: string;
  /** Another network at the address that `far` listens at. */
  sameAddressAsFar(address: string): Network;
  /** How much one direction of a connection may hold, at most 8 MiB. */
  readonly queueBytes: number;
  readonly settle: Settle;
}

/** One end, and all that happened to it. */
interface Recorded extends ConnectionEvents {
  readonly frames: Uint8Array[];
  readonly opened: string[];
  readonly closed: string[];
  readonly drained: string[];
}

function record(): Recorded {
  const frames: Uint8Array[] = [];
  const opened: string[] = [];
  const closed: string[] = [];
  const drained: string[] = [];
  return {
    frames,
    opened,
    closed,
    drained,
    onOpen: () => void opened.push("open"),
    onFrame: (frame) => void frames.push(frame),
    onClose: (reason) => void closed.push(reason),
    onDrain: () => void drained.push("drain"),
  };
}

export function networkContract(name: string, makeWorld: () => Promise<NetworkWorld>): void {
  describe(`the network contract: ${name}`, () => {
    let world: NetworkWorld;
    let address: string;
    let accepted: { readonly connection: Connection; readonly events: Recorded }[];

    const done = <T>(promise: Promise<T>): Promise<T> => completed(world.settle, promise);

    const connect = async (channel: ChannelClass = "reg") => {
      const before = accepted.length;
      const events = record();
      const connection = world.near.connect(address, channel, events);
      await world.settle(() => accepted.length > before && events.opened.length > 0);
      const other = accepted[before];
      if (other === undefined) throw new Error("nothing was accepted");
      return { connection, events, other };
    };

    /** As nodes begin: a greeting and a proof, which are small, come before anything large. */
    const begin = async ({ connection, other }: Awaited<ReturnType<typeof connect>>) => {
      for (let i = 0; i < 2; i += 1) connection.send(new Uint8Array(1));
      await world.settle(() => other.events.frames.length === 2);
      other.events.frames.length = 0;
    };

    beforeEach(async () => {
      world = await makeWorld();
      accepted = [];
      const accept = (connection: Connection): ConnectionEvents => {
        const events = record();
        accepted.push({ connection, events });
        return events;
      };
      address = await done(world.far.listen(accept));
    });

    afterEach(async () => {
      await done(world.near.close());
      await done(world.far.close());
    });

    test("frames arrive whole, in order and once, in both directions", async () => {
      const { connection, events, other } = await connect();
      const sizes = [0, 1, 100, 65_536, 3, 200_000, 1, 2, 70_000];
      const there = sizes.map((size, i) => new Uint8Array(size).fill(i + 1));
      const back = sizes.toReversed().map((size, i) => new Uint8Array(size).fill(i + 100));

      for (const frame of there) expect(connection.send(frame)).toBe("accepted");
      for (const frame of back) expect(other.connection.send(frame)).toBe("accepted");
      await world.settle(() => other.events.frames.length >= there.length);
      await world.settle(() => events.frames.length >= back.length);

      expect(other.events.frames).toEqual(there);
      expect(events.frames).toEqual(back);
    });

    test("nothing is delivered during the call of send", async () => {
      const { connection, other } = await connect();

      connection.send(new Uint8Array([1]));

      expect(other.events.frames).toEqual([]);
      await world.settle(() => other.events.frames.length === 1);
    });

    test("a received frame is the receiver's own", async () => {
      const { connection, other } = await connect();
      const sent = new Uint8Array([1, 2, 3]);
      connection.send(sent);
      await world.settle(() => other.events.frames.length === 1);

      other.events.frames[0]?.fill(9);

      expect(sent).toEqual(new Uint8Array([1, 2, 3]));
    });

    test("the channel class is known at both ends, and classes have connections of their own", async () => {
      const ping = await connect("ping");
      const recovery = await connect("recovery");

      recovery.connection.send(new Uint8Array([7]));
      await world.settle(() => recovery.other.events.frames.length === 1);

      expect([ping.connection.channel, ping.other.connection.channel]).toEqual(["ping", "ping"]);
      expect(recovery.other.connection.channel).toBe("recovery");
      expect(ping.other.events.frames).toEqual([]);
    });

    test("what is sent before the connection is open arrives", async () => {
      const events = record();

      const connection = world.near.connect(address, "state", events);
      connection.send(new Uint8Array([1]));
      connection.send(new Uint8Array([2]));
      await world.settle(() => accepted[0]?.events.frames.length === 2);

      expect(accepted[0]?.events.frames).toEqual([new Uint8Array([1]), new Uint8Array([2])]);
    });

    test("the accepting end may send while it accepts", async () => {
      await done(world.far.close());
      world = await makeWorld();
      const greeting = new Uint8Array([42]);
      address = await done(
        world.far.listen((connection) => {
          connection.send(greeting);
          return record();
        }),
      );
      const events = record();

      world.near.connect(address, "reg", events);
      await world.settle(() => events.frames.length === 1);

      expect(events.frames).toEqual([greeting]);
    });

    test.each(["the opening end", "the accepting end"])(
      "a close by %s lets what was sent before arrive, and both ends hear of it once",
      async (who) => {
        const { connection, events, other } = await connect();
        const isNear = who === "the opening end";
        const [closing, waiting] = isNear ? [connection, other.events] : [other.connection, events];
        for (let i = 0; i < 20; i += 1) closing.send(new Uint8Array(50_000).fill(i));

        closing.close();
        closing.close();
        await world.settle(() => events.closed.length > 0 && other.events.closed.length > 0);
        await done(world.near.close());

        expect(waiting.frames.map(([first]) => first)).toEqual(
          Array.from({ length: 20 }, (_, i) => i),
        );
        expect([events.closed.length, other.events.closed.length]).toEqual([1, 1]);
        expect(closing.send(new Uint8Array([1]))).toBe("accepted");
      },
    );

    test("a peer that cannot be reached shows as a close", async () => {
      const events = record();

      world.near.connect(world.deadAddress, "reg", events);
      await world.settle(() => events.closed.length > 0);

      expect(events.opened).toEqual([]);
      expect(events.closed).toHaveLength(1);
      expect(events.closed[0]).toContain(world.deadAddress);
    });

    test("an address that is taken makes listen reject with one clear sentence", async () => {
      const second = world.sameAddressAsFar(address);

      const outcome = await done(second.listen(() => record()).catch((error: unknown) => error));
      await done(second.close());

      expect(outcome).toBeInstanceOf(OperationError);
      expect((outcome as OperationError).problem).toMatchObject({
        type: "bind_transport_exception",
        reason: expect.stringContaining(`Failed to bind to [${address}]`),
      });
    });

    test.each(["the opening end", "the accepting end"])(
      "a peer that does not read is felt by %s as full, and room again as a drain",
      async (who) => {
        const near = await connect("bulk");
        await begin(near);
        const isNear = who === "the opening end";
        const [sender, receiver] = isNear ? [near, near.other] : [near.other, near];
        const frame = new Uint8Array(256 * 1024);
        let sent = 0;

        while (sender.connection.send(frame) === "accepted") {
          sent += 1;
          expect(sent * frame.length).toBeLessThan(8 * world.queueBytes + 64 * 1024 * 1024);
        }
        await world.settle(() => sender.events.drained.length > 0);
        await world.settle(() => receiver.events.frames.length === sent);

        expect(sender.events.drained).toHaveLength(1);
        expect(sender.connection.send(frame)).toBe("accepted");
        await world.settle(() => receiver.events.frames.length === sent + 1);
      },
    );

    test("a frame of the largest size arrives, a larger one is a programmer error", async () => {
      const near = await connect();
      await begin(near);
      const { connection, other } = near;
      const largest = new Uint8Array(maxFrameBytes);
      largest[maxFrameBytes - 1] = 5;

      connection.send(largest);
      await world.settle(() => other.events.frames.length === 1);

      expect(other.events.frames[0]?.length).toBe(maxFrameBytes);
      expect(other.events.frames[0]?.at(-1)).toBe(5);
      expect(() => connection.send(new Uint8Array(maxFrameBytes + 1))).toThrow(AssertionError);
    });

    test("closing a network closes its connections and frees its address", async () => {
      const { events } = await connect();
      const late = record();

      await done(world.far.close());
      await world.settle(() => events.closed.length > 0);
      world.near.connect(address, "reg", late);
      await world.settle(() => late.closed.length > 0);
      const again = world.sameAddressAsFar(address);

      expect(await done(again.listen(() => record()))).toBe(address);
      await done(again.close());
      expect(late.opened).toEqual([]);
    });
  });
}
