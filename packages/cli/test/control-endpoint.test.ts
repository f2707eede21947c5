/** Who may speak to the control endpoint, how much and how long; where its token lies. */
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, request, type OutgoingHttpHeaders, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createClusterControl, type ClusterControl } from "../src/cluster-control.ts";
import { chooseToken, findToken, keepToken } from "../src/control-token.ts";
import { serveControl } from "../src/control.ts";
import { startCluster } from "../src/running-cluster.ts";
import { UsageError } from "../src/usage.ts";
import { run } from "./command.ts";
import { fakeNode, type FakeNode } from "./fake-nodes.ts";

const token = "sixteen-or-more-of-them";
let runtime: string;
let nodes: readonly FakeNode[];
let clusterControl: ClusterControl;
let server: Server;
let port: number;

beforeEach(async () => {
  runtime = mkdtempSync(join(tmpdir(), "orrery-doors-"));
  vi.stubEnv("XDG_RUNTIME_DIR", runtime);
  vi.stubEnv("ORRERY_CONTROL_TOKEN", "");
  nodes = ["node-1", "node-2"].map(fakeNode);
  const cluster = startCluster(nodes);
  clusterControl = createClusterControl({
    cluster,
    makeAddedNode: () => Promise.reject(new UsageError("none")),
  });
  server = await serveControl({ port: 0, clusterControl, token });
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  vi.unstubAllEnvs();
  clusterControl.end();
  server.close();
  server.closeAllConnections();
  rmSync(runtime, { recursive: true });
});

interface Said {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

const bearer = { authorization: `Bearer ${token}` };

/** With headers that `fetch` would not send. */
function say(
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = bearer,
  body = "",
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => resolve({ status: answer.statusCode, text, headers: answer.headers }));
    });
    asked.on("error", reject).end(body);
  });
}

const done = (): readonly string[] => nodes.flatMap((node) => node.done);

describe("a request is refused, and nothing is done,", () => {
  test.each<[string, number, OutgoingHttpHeaders]>([
    ["under a name of somebody else", 403, { host: "elsewhere.example" }],
    ["under such a name with the right port", 403, { host: "elsewhere.example:PORT" }],
    ["under the right name with another port", 403, { host: "127.0.0.1:1" }],
    ["under an address that the port is not on", 403, { host: "0.0.0.0:PORT" }],
    ["from a page of another origin", 403, { origin: "https://elsewhere.example" }],
    ["from a page without an origin", 403, { origin: "null" }],
    ["from a page of another port of this machine", 403, { origin: "http://localhost:8080" }],
    ["as the browser says, from another site", 403, { "sec-fetch-site": "cross-site" }],
    ["as the browser says, from the same site", 403, { "sec-fetch-site": "same-site" }],
    ["without a token", 401, { authorization: undefined }],
    ["with a wrong token", 401, { authorization: `Bearer ${token}x` }],
    ["with a token of another scheme", 401, { authorization: `Basic ${token}` }],
  ])("%s", async (_, status, extra) => {
    const given = Object.entries({ ...bearer, ...extra }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value).replace("PORT", String(port))] as const],
    );
    const headers = Object.fromEntries(given);

    const answers = [await say("POST", "/stop/1", headers), await say("GET", "/status", headers)];

    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(answers[0]?.headers["www-authenticate"]).toBe(
      status === 401 ? 'Bearer realm="orrery control"' : undefined,
    );
    expect(answers[0]?.headers["access-control-allow-origin"]).toBeUndefined();
    expect(done()).toEqual(["start", "start"]);
  });

  test("with GET where something would change", async () => {
    const answers = [await say("GET", "/stop/1"), await say("HEAD", "/heal")];

    expect(answers.map(({ status, headers }) => [status, headers["allow"]])).toEqual([
      [405, "POST"],
      [405, "POST"],
    ]);
    expect(done()).toEqual(["start", "start"]);
  });

  test("with two hosts", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /stop/1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: elsewhere.example\r\n` +
        `Authorization: Bearer ${token}\r\nContent-Length: 0\r\n\r\n`,
    );
    const [bytes] = (await once(socket, "data")) as [Buffer];
    socket.destroy();

    expect(bytes.toString("latin1")).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(done()).toEqual(["start", "start"]);
  });

  test.each([
    ["with a key that the verb does not know", "/stop/1?force=true"],
    ["with a key given twice", "/stop?node=1&node=2"],
    ["with a key for what takes none", "/status?pretty"],
    ["with a path that is not well encoded", "/stop/%zz"],
    ["with a word too many", "/heal/a/b"],
    ["with a name that objects have", "/stop/1?__proto__=x"],
  ])("%s", async (_, path) => {
    const { status, text } = await say("POST", path);

    expect(status).toBe(400);
    expect(text).not.toMatch(/URIError|URI malformed|object Object/);
    expect(done()).toEqual(["start", "start"]);
  });

  test.each([
    ["whose length is told", { "content-length": 70_000 }],
    ["whose length is not told", { "transfer-encoding": "chunked" }],
  ])("with a body over 64 kB %s", async (_, headers) => {
    const body = JSON.stringify({ node: "1".repeat(69_989) });

    const { status } = await say("POST", "/stop", { ...bearer, ...headers }, body);

    expect(status).toBe(413);
    expect(done()).toEqual(["start", "start"]);
  });
});

test("what only looks takes GET, under each name of this machine", async () => {
  for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
    const { status } = await say("GET", "/status", { ...bearer, host: `${name}:${port}` });
    expect(status).toBe(200);
  }
  expect((await say("GET", "/list", { ...bearer, "sec-fetch-site": "none" })).status).toBe(200);
});

test("the port listens on this machine only, and a client that sends slowly is not waited for", () => {
  expect(server.address()).toMatchObject({ address: "127.0.0.1" });
  expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(10_000);
});

describe("the token", () => {
  test("is made of 256 random bits, or is that of the environment", () => {
    const made = chooseToken();
    vi.stubEnv("ORRERY_CONTROL_TOKEN", "a-token-that-was-given");

    expect(made).toMatch(/^[\w-]{43}$/);
    expect(chooseToken()).toBe("a-token-that-was-given");
  });

  test.each(["short", "with a space in it, and long", `${"x".repeat(20)}\n`])(
    "is not %j",
    (given) => {
      vi.stubEnv("ORRERY_CONTROL_TOKEN", given);
      expect(chooseToken).toThrow(UsageError);
    },
  );

  test("is found by orrery fault of the same user, until the endpoint ends", async () => {
    const file = keepToken(port, token);
    const found = await run("fault", "stop", "1", "--control", String(port));
    const byUrl = await run("fault", "start", "1", "--control", `http://localhost:${port}/`);
    file.remove();
    const gone = await run("fault", "stop", "1", "--control", String(port));
    const given = await run("fault", "stop", "2", "--control", String(port), "--token", token);
    const wrong = await run("fault", "stop", "2", "--control", String(port), "--token", "wrong");

    expect([found.code, byUrl.code, gone.code, given.code, wrong.code]).toEqual([0, 0, 2, 0, 2]);
    expect(gone.err).toBe(
      `orrery: the control port [${port}] asks for the token of [orrery up]: no file of yours has it, give it in ORRERY_CONTROL_TOKEN or with [--token]\n`,
    );
    expect(wrong.err).toContain("refuses this token");
    expect(nodes.map((node) => node.done)).toEqual([
      ["start", "stop", "start"],
      ["start", "stop"],
    ]);
    expect(readdirSync(join(runtime, "orrery"))).toEqual([]);
  });

  test("lies in a file that only its owner can open", () => {
    const { path } = keepToken(port, token);

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(runtime, "orrery")).mode & 0o777).toBe(0o700);
    expect(findToken(port)).toBe(token);
  });

  test("of an endpoint that was killed is told to nobody, and its file goes with the next one", () => {
    const { path } = keepToken(1, token);
    // No process has this id: it is above what Linux gives.
    writeFileSync(path, JSON.stringify({ token, pid: 2 ** 30 }));

    expect(findToken(1)).toBeUndefined();
    keepToken(port, token);
    expect(readdirSync(join(runtime, "orrery"))).toEqual([`control-${port}.json`]);
  });

  test("of another endpoint of the same port stays", () => {
    const first = keepToken(port, token);
    keepToken(port, "the-token-of-another-one");
    first.remove();

    expect(findToken(port)).toBe("the-token-of-another-one");
  });

  test("is neither written nor read where others can get in", () => {
    const folder = join(runtime, "orrery");
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    expect(() => keepToken(port, token)).toThrow(UsageError);
    expect(() => findToken(port)).toThrow(UsageError);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is neither written nor read behind a symbolic link", () => {
    const elsewhere = mkdtempSync(join(runtime, "elsewhere-"));
    symlinkSync(elsewhere, join(runtime, "orrery"));
    expect(() => keepToken(port, token)).toThrow(UsageError);
    expect(() => findToken(port)).toThrow(UsageError);

    rmSync(join(runtime, "orrery"));
    mkdirSync(join(runtime, "orrery"), { mode: 0o700 });
    writeFileSync(join(elsewhere, "x"), JSON.stringify({ token, pid: process.pid }), {
      mode: 0o600,
    });
    symlinkSync(join(elsewhere, "x"), join(runtime, "orrery", `control-${port}.json`));
    expect(() => findToken(port)).toThrow(UsageError);
  });

  test("is not carried along a redirection", async () => {
    keepToken(port, token);
    const heard: unknown[] = [];
    const thief = createServer((asked, answer) => {
      heard.push(asked.headers.authorization);
      answer.end("{}");
    }).listen(0, "127.0.0.1");
    const sender = createServer((_, answer) => {
      const { port: there } = thief.address() as AddressInfo;
      answer.writeHead(307, { location: `http://127.0.0.1:${there}/` }).end();
    }).listen(0, "127.0.0.1");
    await Promise.all([once(thief, "listening"), once(sender, "listening")]);
    const { port: there } = sender.address() as AddressInfo;

    const { code } = await run("fault", "status", "--control", String(there), "--token", token);
    for (const one of [thief, sender]) one.close();

    expect([code, heard]).toEqual([2, []]);
  });
});
