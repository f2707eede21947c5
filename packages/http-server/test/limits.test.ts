/** What a client may hold, keep waiting, or leave unread: bodies, pipelines, answers. */
import { request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { forSeedsAsync } from "@orrery/seeds";
import type { RestRequest, RestResponse } from "@orrery/rest";
import { createIdTable, utf8Encode } from "@orrery/stdx";
import { afterEach, describe, expect, test, vi } from "vitest";
import { enqueueRequest, completeRequest } from "../src/connection-queue.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../src/index.ts";
import { createLargeBodies, type Leave } from "../src/large-bodies.ts";
import { cutStalled, type Exchange } from "../src/stalls.ts";
import { createTurns } from "../src/turns.ts";

const host = "127.0.0.1";
const MB = 1024 * 1024;

let servers: HttpServer[] = [];

afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(servers.map((server) => server.close(0)));
  servers = [];
});

async function serve(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const dispatch = async ({ body }: RestRequest): Promise<RestResponse> => answer(`${body.length}`);
  const server = await createHttpServer({ host, port: 0, dispatch, ...options });
  servers.push(server);
  return server;
}

function answer(text: string): RestResponse {
  const body = utf8Encode(text);
  return { status: 200, headers: { "content-length": String(body.length) }, body: [body] };
}

function post(
  { port }: HttpServer,
  body: Uint8Array,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, method: "POST", headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("bytes under way", () => {
  test("include what an answer is made of, until the client has it", async () => {
    let isFirst = true;
    let goOn = (): void => undefined;
    const server = await serve({
      mostAnswerBytes: MB,
      dispatch: async ({ hold }) => {
        hold?.(600 * 1024);
        if (isFirst) {
          isFirst = false;
          await new Promise<void>((resolve) => (goOn = resolve));
        }
        return answer("there");
      },
    });
    const first = post(server, utf8Encode("{}"));
    await expect.poll(() => server.heldBytes).toBeGreaterThan(600 * 1024);

    const second = await post(server, utf8Encode("{}"));
    goOn();

    expect([second.status, (await first).status]).toEqual([429, 200]);
    await expect.poll(() => server.heldBytes).toBe(0);
    expect((await post(server, utf8Encode("{}"))).status).toBe(200);
  });

  test("above the limit are refused as the product's breaker does, before they are read", async () => {
    const server = await serve({ inFlight: { limitBytes: MB, overhead: 2 } });

    const { status, text } = await post(server, Buffer.alloc(600 * 1024));

    const reason =
      "[in_flight_requests] Data too large, data for [<http_request>] would be [1228800/1.1mb], which is larger than the limit of [1048576/1mb]";
    const rest = { bytes_wanted: 1_228_800, bytes_limit: 1_048_576, durability: "TRANSIENT" };
    const told = { type: "circuit_breaking_exception", reason, ...rest };
    expect(status).toBe(429);
    expect(JSON.parse(text)).toEqual({ error: { root_cause: [told], ...told }, status: 429 });
  });

  test("are counted unpacked", async () => {
    const server = await serve({ inFlight: { limitBytes: MB, overhead: 1 } });

    const { status } = await post(server, gzipSync(Buffer.alloc(2 * MB)), {
      "content-encoding": "gzip",
    });

    expect(status).toBe(429);
  });

  test("are counted as they come when nothing says how many there will be", async () => {
    const server = await serve({ inFlight: { limitBytes: MB, overhead: 1 } });

    const { status } = await post(server, Buffer.alloc(2 * MB), { "transfer-encoding": "chunked" });

    expect(status).toBe(429);
  });

  test("are free again when the request is over", async () => {
    const server = await serve({ inFlight: { limitBytes: 4 * MB, overhead: 1 } });

    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1) statuses.push((await post(server, Buffer.alloc(3 * MB))).status);

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    await expect.poll(() => server.heldBytes).toBe(0);
  });

  test("of a body that is packed in parts are all there, though its end tells of the last part alone", async () => {
    const server = await serve();
    const body = Buffer.concat([gzipSync(Buffer.alloc(3 * MB)), gzipSync(Buffer.alloc(5))]);

    const { text } = await post(server, body, { "content-encoding": "gzip" });

    expect(text).toBe(String(3 * MB + 5));
  });
});

describe("large bodies", () => {
  test("are worked on together up to a bound, in the order they came, whatever comes and goes", async () => {
    await forSeedsAsync(100, async (random) => {
      const together = 64 * MB;
      const bodies = createLargeBodies(together);
      const inside = new Map<number, { readonly bytes: number; readonly leave: Leave }>();
      const order: number[] = [];
      const entering: Promise<void>[] = [];
      for (let i = 0; i < 30; i += 1) {
        const bytes = random.int(1, 40) * MB;
        const entered = bodies.enter(bytes)?.then((leave) => {
          order.push(i);
          inside.set(i, { bytes, leave });
          let sum = 0;
          for (const one of inside.values()) sum += one.bytes;
          expect(sum).toBeLessThanOrEqual(together);
        });
        if (entered !== undefined) entering.push(entered);
      }
      for (let turn = 0; turn < 200; turn += 1) {
        await Promise.resolve();
        const keys = [...inside.keys()];
        if (keys.length === 0) continue;
        const key = keys[random.int(0, keys.length)] ?? -1;
        const one = inside.get(key);
        inside.delete(key);
        one?.leave();
      }
      await Promise.all(entering);
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });
  });

  test("that fit nowhere are worked on alone", async () => {
    const bodies = createLargeBodies(4 * MB);

    const leave = await bodies.enter(100 * MB);
    leave?.();

    expect(await bodies.enter(100 * MB)).toBeTypeOf("function");
  });
});

describe("requests that come without waiting for answers", () => {
  test("are under way one at a time, and another client is not behind them", async () => {
    const seen: string[] = [];
    let underWay = 0;
    let most = 0;
    const server = await serve({
      dispatch: async ({ uri }) => {
        seen.push(uri);
        if (uri === "/other") return answer("");
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return answer("");
      },
    });
    const greedy: Socket = connect(server.port, host);
    greedy.resume();
    greedy.write("GET /many HTTP/1.1\r\nhost: x\r\n\r\n".repeat(5000));
    await expect.poll(() => seen.length).toBeGreaterThan(0);

    await new Promise<void>((resolve, reject) => {
      const sent = request({ host, port: server.port, path: "/other" }, (response) => {
        response.resume();
        response.on("end", resolve);
      });
      sent.on("error", reject);
      sent.end();
    });
    const before = seen.indexOf("/other");
    await expect.poll(() => seen.length).toBe(5001);
    greedy.destroy();

    expect(most).toBe(1);
    expect(before).toBeLessThan(5000);
  });

  test("stop the reading of their connection when too many wait, until few do", () => {
    const calls: string[] = [];
    const begun: number[] = [];
    const socket = {
      destroyed: false,
      pause: () => calls.push("pause"),
      resume: () => calls.push("resume"),
    } as unknown as Socket;

    for (let i = 0; i < 20; i += 1) enqueueRequest(socket, () => void begun.push(i));
    const paused = [...calls];
    for (let i = 0; i < 20; i += 1) completeRequest(socket);

    expect(paused).toEqual(["pause"]);
    expect(calls).toEqual(["pause", "resume"]);
    expect(begun).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test("are forgotten when their client is gone", () => {
    const begun: number[] = [];
    const socket = { destroyed: false, pause: () => undefined, resume: () => undefined };
    const line = socket as unknown as Socket;

    for (let i = 0; i < 5; i += 1) enqueueRequest(line, () => void begun.push(i));
    socket.destroyed = true;
    completeRequest(line);

    expect(begun).toEqual([0]);
  });
});

describe("a client that does not get on", () => {
  /** A request as far as looking at it goes. */
  function underWay(fields: Partial<Exchange> & { headersSent?: boolean }) {
    const socket = { bytesWritten: 0, writableLength: 0 };
    const state = { isCut: false };
    const exchange: Exchange = {
      request: { socket, destroy: () => (state.isCut = true) } as unknown as IncomingMessage,
      response: { headersSent: fields.headersSent ?? false } as unknown as ServerResponse,
      cancel: undefined,
      isReceiving: false,
      receivedBytes: 0,
      heldBytes: 0,
      answerBytes: 0,
      isOver: false,
      seenBytes: -1,
      ...fields,
    };
    const running = createIdTable<Exchange>();
    running.set(1, exchange);
    vi.useFakeTimers();
    cutStalled(running, 1000);
    return { exchange, socket, state };
  }

  test("with its body is cut", () => {
    const { state } = underWay({ isReceiving: true, receivedBytes: 10 });

    vi.advanceTimersByTime(2000);

    expect(state.isCut).toBe(true);
  });

  test("with its answer is cut", () => {
    const { state, socket } = underWay({ headersSent: true });
    socket.bytesWritten = 5_000_000;
    socket.writableLength = 4_000_000;

    vi.advanceTimersByTime(2000);

    expect(state.isCut).toBe(true);
  });

  test("because its operation takes long is left alone", () => {
    const { state } = underWay({});

    vi.advanceTimersByTime(3_600_000);

    expect(state.isCut).toBe(false);
  });

  test("fast, but on and on, is left alone", () => {
    const { state, exchange } = underWay({ isReceiving: true });

    for (let i = 0; i < 60; i += 1) {
      exchange.receivedBytes += 20_000;
      vi.advanceTimersByTime(1000);
    }

    expect(state.isCut).toBe(false);
  });

  test("loses its connection, and what its answer held is free", async () => {
    const large = new Uint8Array(20 * MB);
    const headers = { "content-length": String(large.length) };
    const server = await serve({
      stallMs: 50,
      dispatch: async () => ({ status: 200, headers, body: [large] }),
    });
    const deaf = connect(server.port, host);
    deaf.on("error", () => undefined);
    deaf.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await expect.poll(() => server.heldBytes).toBe(large.length);

    await expect.poll(() => server.heldBytes, { timeout: 10_000 }).toBe(0);

    expect(server.openConnections).toBe(0);
    deaf.destroy();
  });
});

describe("requests with bodies that come all at once", () => {
  test("begin in the order they came, and what else there is goes on between them", async () => {
    const turns = createTurns(0);
    const order: string[] = [];

    const begun = [1, 2, 3].map(async (number) => {
      await turns.next();
      order.push(`body ${number}`);
    });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    order.push("other");
    await Promise.all(begun);

    expect(order.filter((one) => one !== "other")).toEqual(["body 1", "body 2", "body 3"]);
    expect(order.indexOf("other")).toBeLessThan(3);
  });

  test("begin at once while there is time", () => {
    const turns = createTurns(60_000);

    expect([turns.next(), turns.next(), turns.next()]).toEqual([undefined, undefined, undefined]);
  });
});

describe("a refusal that ends its connection", () => {
  /** All that comes back, to a client that reads nothing before it has sent everything. */
  const exchange = (server: HttpServer, bytes: Uint8Array): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(server.port, host);
      let text = "";
      socket.pause();
      socket.on("data", (chunk) => (text += chunk.toString()));
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
      socket.write(bytes, () => socket.resume());
    });
  const body = "x".repeat(8 * MB);

  test.each([
    [
      "a line that is too long",
      `GET /?a=${"b".repeat(8000)} HTTP/1.1\r\nconnection: close`,
      {},
      400,
    ],
    [
      "a body that is too large",
      "POST / HTTP/1.1\r\nconnection: close",
      { maxContentLengthBytes: MB },
      413,
    ],
    ["nonsense", "POST / NONSENSE/1.1", {}, 400],
  ])("reaches a client that sends %s and goes on sending", async (_, head, options, status) => {
    const server = await serve(options);
    const message = utf8Encode(
      `${head}\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );

    for (let turn = 0; turn < 5; turn += 1) {
      const answered = await exchange(server, message);
      expect(answered.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
      expect(answered).toContain(`"status":${status}`);
    }
  });
});

test("a large answer arrives whole, piece by piece", async () => {
  const pieces = Array.from({ length: 7 }, (_, i) => new Uint8Array(900_000 + i).fill(97 + i));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const headers = { "content-length": String(length) };
  const server = await serve({ dispatch: async () => ({ status: 200, headers, body: pieces }) });

  const { text } = await post(server, Buffer.alloc(0));

  expect(text).toBe(pieces.map((piece) => Buffer.from(piece).toString()).join(""));
});
