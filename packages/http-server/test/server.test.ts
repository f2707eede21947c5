/** HTTP as a client sees it, with a `dispatch` that tells what reached it. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { request, Agent, type IncomingHttpHeaders } from "node:http";
import { networkInterfaces } from "node:os";
import { deflateSync, gunzipSync, gzipSync } from "node:zlib";
import type { RestRequest, RestResponse } from "@orrery/rest";
import { OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { afterEach, expect, test } from "vitest";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "../src/index.ts";

const host = "127.0.0.1";

const echo = async ({ method, uri, body }: RestRequest): Promise<RestResponse> =>
  json({ method, uri, body: utf8Decode(body) });

function json(value: unknown, status = 200): RestResponse {
  const body = utf8Encode(JSON.stringify(value));
  return {
    status,
    headers: { "content-type": "application/json", "content-length": String(body.length) },
    body: [body],
  };
}

let servers: HttpServer[] = [];

async function serve(options: Partial<HttpServerOptions> = {}): Promise<HttpServer> {
  const server = await createHttpServer({ host, port: 0, dispatch: echo, ...options });
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly body: unknown;
}

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: Uint8Array | string;
  readonly agent?: Agent;
}

function ask({ port }: HttpServer, { path = "/", body, ...how }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, ...how }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, bytes, body: parsed(bytes, headers) });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function parsed(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  const plain = headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
  return plain.length === 0 ? undefined : JSON.parse(plain.toString("utf8"));
}

/** Everything a raw connection receives until the server ends it. */
function rawExchange({ port }: HttpServer, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket: Socket = connect(port, host, () => socket.write(bytes));
    socket.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
}

test("method, path, query and body reach dispatch as they were sent", async () => {
  const server = await serve();

  const { status, body } = await ask(server, {
    method: "POST",
    path: "/a%2Fb/_search?q=%20x&pretty",
    body: "{é}",
  });

  expect(status).toBe(200);
  expect(body).toEqual({ method: "POST", uri: "/a%2Fb/_search?q=%20x&pretty", body: "{é}" });
});

test.each([
  ["gzip", gzipSync("hello")],
  ["x-gzip", gzipSync("hello")],
  ["GZIP", gzipSync("hello")],
  ["deflate", deflateSync("hello")],
  ["identity", Buffer.from("hello")],
  ["constructor", Buffer.from("hello")],
])("a body with content-encoding %s is unpacked where that is known", async (encoding, bytes) => {
  const server = await serve();

  const { body } = await ask(server, {
    method: "POST",
    headers: { "content-encoding": encoding },
    body: bytes,
  });

  expect(body).toMatchObject({ body: "hello" });
});

const words = Array.from({ length: 400_000 }, (_, i) => `word${i}`).join(" ");

test.each([
  ["announced", Buffer.from(words), {}],
  ["in chunks", Buffer.from(words), { "transfer-encoding": "chunked" }],
  ["packed", gzipSync(words), { "content-encoding": "gzip" }],
  [
    "packed in parts",
    Buffer.concat([gzipSync(words.slice(0, 3e6)), gzipSync(words.slice(3e6))]),
    { "content-encoding": "gzip" },
  ],
])("a large body, %s, is put together from its slices", async (_, bytes, headers) => {
  const server = await serve();

  const { body } = await ask(server, { method: "POST", headers, body: bytes });

  expect((body as { readonly body: string }).body === words).toBe(true);
});

test("a body that cannot be unpacked is a 400", async () => {
  const server = await serve();

  const { status, body } = await ask(server, {
    method: "POST",
    headers: { "content-encoding": "gzip" },
    body: gzipSync("hello").subarray(0, 12),
  });

  expect([status, body]).toEqual([
    400,
    expect.objectContaining({
      error: expect.objectContaining({ type: "illegal_argument_exception" }),
    }),
  ]);
});

test.each([
  ["announced", { "content-length": "2000" }, Buffer.alloc(2000, 97)],
  ["in chunks", { "transfer-encoding": "chunked" }, Buffer.alloc(2000, 97)],
  ["once unpacked", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(2000, 97))],
])(
  "a body over the limit, %s, is a 413 and the connection still answers",
  async (_, headers, bytes) => {
    const server = await serve({ maxContentLengthBytes: 1000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });

    const refused = await ask(server, { method: "POST", headers, body: bytes, agent });
    const next = await ask(server, { agent });
    agent.destroy();

    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({
      error: { reason: "Request Entity Too Large" },
      status: 413,
    });
    expect(next.status).toBe(200);
  },
);

test("a body of exactly the limit is taken", async () => {
  const server = await serve({ maxContentLengthBytes: 1000 });

  const { status } = await ask(server, { method: "POST", body: Buffer.alloc(1000, 97) });

  expect(status).toBe(200);
});

test.each([
  ["gzip", "gzip"],
  ["deflate, gzip;q=1.0", "gzip"],
  ["gzip;q=0", undefined],
  ["gzip; q=0.0, identity", undefined],
  ["br", undefined],
])("accept-encoding [%s] gets content-encoding [%s]", async (accepted, expected) => {
  const server = await serve();

  const { headers, bytes, body } = await ask(server, { headers: { "accept-encoding": accepted } });

  expect(headers["content-encoding"]).toBe(expected);
  expect(headers["content-length"]).toBe(String(bytes.length));
  expect(body).toMatchObject({ method: "GET" });
});

test("the answer to HEAD has headers and no body", async () => {
  const head: RestResponse = { status: 404, headers: { "content-length": "22" }, body: [] };
  const server = await serve({ dispatch: async () => head });

  const { status, headers, bytes } = await ask(server, { method: "HEAD" });

  expect([status, headers["content-length"], bytes.length]).toEqual([404, "22", 0]);
});

test("a request line over the limit is a 400 in the product's words", async () => {
  const server = await serve();

  const short = await ask(server, { path: `/${"a".repeat(4000)}` });
  const long = await ask(server, { path: `/${"a".repeat(5000)}` });
  const veryLong = await rawExchange(server, `GET /${"a".repeat(40_000)} HTTP/1.1\r\n\r\n`);

  expect([short.status, long.status]).toEqual([200, 400]);
  expect(long.body).toMatchObject({ error: { type: "too_long_http_line_exception" } });
  expect(veryLong).toContain("HTTP/1.1 400 Bad Request");
  expect(veryLong).toContain("An HTTP line is larger than 4096 bytes.");
});

test("headers over the limit are a 400 in the product's words", async () => {
  const server = await serve();

  const answer = await rawExchange(server, `GET / HTTP/1.1\r\nx: ${"a".repeat(40_000)}\r\n\r\n`);

  expect(answer).toContain("too_long_http_header_exception");
});

test("what is no HTTP gets a 400 and the connection ends", async () => {
  const server = await serve();

  const answer = await rawExchange(server, "this is not http\r\n\r\n");

  expect(answer).toContain("HTTP/1.1 400 Bad Request");
});

test("an unforeseen error of dispatch is a 500 without its words, which are told apart", async () => {
  const told: unknown[] = [];
  const server = await serve({
    dispatch: async ({ body }) => {
      throw new TypeError(`broken with ${body.length} bytes`);
    },
    onUnforeseen: (thrown) => told.push(thrown),
  });

  const { status, body } = await ask(server, { method: "POST", body: "abc" });

  expect(status).toBe(500);
  expect(body).toMatchObject({
    error: { reason: "unexpected failure, the log of the node tells more" },
  });
  expect(told.map(String)).toEqual(["TypeError: broken with 3 bytes"]);
});

test("a body that breaks off is no error of the node's", async () => {
  const told: unknown[] = [];
  const server = await serve({ onUnforeseen: (thrown) => told.push(thrown) });

  const socket = connect(server.port, host);
  socket.end("POST / HTTP/1.1\r\ncontent-length: 10\r\n\r\nabc");
  await once(socket.resume(), "close");
  await ask(server);

  expect(told).toEqual([]);
});

test("an OperationError of dispatch keeps its type and status", async () => {
  const server = await serve({
    dispatch: async () => {
      throw new OperationError({ type: "some_exception", reason: "no", status: 418 });
    },
  });

  const { status, body } = await ask(server);

  expect([status, body]).toEqual([418, expect.objectContaining({ status: 418 })]);
});

test("dispatch hears that the client is gone, and does not when it took its answer", async () => {
  const gone: string[] = [];
  let reached = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let heard = (): void => undefined;
  const cancelled = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const server = await serve({
    dispatch: async (rest) => {
      rest.onClose?.(() => {
        gone.push(rest.uri);
        heard();
      });
      if (rest.uri !== "/hangs") return json({});
      reached();
      return new Promise(() => undefined);
    },
  });

  await ask(server, { path: "/answered" });
  const socket = connect(server.port, host, () => socket.write("GET /hangs HTTP/1.1\r\n\r\n"));
  await started;
  socket.destroy();
  await cancelled;

  expect(gone).toEqual(["/hangs"]);
});

test("a client that goes away in the middle of its body is no error for the others", async () => {
  const server = await serve();
  await new Promise<void>((resolve) => {
    const socket = connect(server.port, host, () => {
      socket.write("POST / HTTP/1.1\r\ncontent-length: 100\r\n\r\nabc", () => {
        socket.destroy();
        resolve();
      });
    });
  });

  const { status } = await ask(server);

  expect(status).toBe(200);
});

test("pipelined requests are answered in their order", async () => {
  const server = await serve({
    dispatch: async ({ uri }) => {
      if (uri === "/1") await new Promise((resolve) => setImmediate(resolve));
      return json({ uri });
    },
  });

  const answer = await rawExchange(
    server,
    "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\nconnection: close\r\n\r\n",
  );

  expect([...answer.matchAll(/"uri":"(\/\d)"/g)].map(([, uri]) => uri)).toEqual(["/1", "/2"]);
});

test("close lets a running request end, and does not wait for connections kept alive", async () => {
  let finish = (): void => undefined;
  let reached = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const server = await serve({
    dispatch: async ({ uri }) => {
      if (uri === "/slow") {
        reached();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      }
      return json({ uri });
    },
  });
  const agent = new Agent({ keepAlive: true });
  await ask(server, { path: "/idle", agent });
  const slow = ask(server, { path: "/slow", agent });
  await started;

  const closing = server.close();
  finish();
  const { status, headers } = await slow;
  await closing;
  agent.destroy();

  expect([status, headers.connection]).toEqual([200, "close"]);
  expect(server.openConnections).toBe(0);
});

test("connections are counted", async () => {
  const server = await serve();

  await ask(server, { agent: new Agent() });
  await ask(server, { agent: new Agent() });

  expect(server.totalOpened).toBe(2);
});

test("a port that is taken makes the start reject with one sentence", async () => {
  const first = await serve();

  const second = createHttpServer({ host, port: first.port, dispatch: echo });

  await expect(second).rejects.toMatchObject({
    problem: {
      type: "bind_http_exception",
      reason: `the HTTP address [${host}:${first.port}] is taken`,
    },
  });
});

const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((found) => found?.address === "::1");

test.skipIf(!hasIPv6)(
  "every address is served at one port, and closed with the server",
  async () => {
    const server = await serve({ moreHosts: ["::1"] });
    const urls = [`http://${host}:${server.port}/a`, `http://[::1]:${server.port}/b`];

    const answers = await Promise.all(urls.map(async (url) => (await fetch(url)).status));
    await server.close();

    expect(answers).toEqual([200, 200]);
    for (const url of urls) await expect(fetch(url)).rejects.toThrow();
  },
);

test.skipIf(!hasIPv6)(
  "an address that cannot be bound makes the start reject, and frees the others",
  async () => {
    const { port } = await serve();
    const start = createHttpServer({ host: "::1", moreHosts: [host], port, dispatch: echo });
    await expect(start).rejects.toMatchObject({
      problem: { reason: `the HTTP address [${host}:${port}] is taken` },
    });

    const again = createHttpServer({ host: "::1", port, dispatch: echo });

    await expect(again.then((server) => server.close())).resolves.toBeUndefined();
    const foreign = createHttpServer({ host: "192.0.2.77", port: 0, dispatch: echo });
    await expect(foreign).rejects.toMatchObject({
      problem: { reason: "cannot serve HTTP on [192.0.2.77:0]: this machine has no such address" },
    });
  },
);
