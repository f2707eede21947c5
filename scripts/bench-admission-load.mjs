/** What `bench-admission.mjs` does to a server from another thread: one kind of load, or looking at its health until told to stop. */
import http from "node:http";
import net from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { gzipSync } from "node:zlib";

const { kind, url } = workerData;
const seen = {};
const count = (what) => {
  seen[what] = (seen[what] ?? 0) + 1;
};

/** Each on a connection of its own. */
function send(method, path, body, headers = {}) {
  return new Promise((resolve) => {
    const request = http.request(
      `${url}${path}`,
      {
        method,
        agent: false,
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => {
        response.resume();
        response.on("error", () => undefined);
        response.on("close", () => {
          count(response.complete ? response.statusCode : "cut");
          resolve();
        });
      },
    );
    request.on("error", (error) => {
      count(error.code ?? error.message);
      resolve();
    });
    request.setTimeout(180_000, () => request.destroy(new Error("no answer")));
    request.end(body);
  });
}

const times = (n, make) => Promise.all(Array.from({ length: n }, (_, i) => make(i)));

const search = JSON.stringify({
  size: 10,
  query: { match: { t: "word3 other4" } },
  aggs: {
    k: {
      terms: { field: "k.keyword", size: 100 },
      aggs: { n: { percentiles: { field: "n" } } },
    },
  },
});

function repeated(line) {
  return Buffer.alloc(Math.floor(99e6 / line.length) * line.length, line);
}

const hostile = [
  { query: { regexp: { "a.keyword": "(a+)+b" } } },
  { query: { regexp: { "a.keyword": "(a|aa)+(a|aaa)+b" } } },
  { query: { wildcard: { "a.keyword": { value: `${"*a".repeat(12)}*b` } } } },
  { aggs: { t: { terms: { field: "a.keyword", include: "(a+)+b" } } } },
];

const loads = {
  searches: () => times(2000, () => send("POST", "/f/_search", search)),
  bulk: () => send("POST", "/b/_bulk", repeated('{"index":{}}\n{"a":1}\n')),
  documents: () => {
    const body = repeated(`{"index":{}}\n{"a":1,"text":"${"some words here ".repeat(30)}"}\n`);
    return times(2, () => send("POST", "/b/_bulk", body));
  },
  gzip: () => {
    const text = Buffer.alloc(99e6, 97);
    const body = gzipSync(Buffer.concat([Buffer.from('{"x":"'), text, Buffer.from('"}')]));
    return times(20, () => send("POST", "/f/_search", body, { "content-encoding": "gzip" }));
  },
  pipelined: () =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(url);
      const socket = net.connect(Number(port), hostname);
      let answers = 0;
      socket.on("data", (chunk) => {
        answers += chunk.toString("latin1").split("HTTP/1.1 ").length - 1;
        if (answers >= 5000) socket.destroy();
      });
      socket.on("error", (error) => count(error.code));
      socket.on("close", () => {
        count(`${answers} answers`);
        resolve();
      });
      const head = `POST /f/_search HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
      socket.write(`${head}content-length: ${search.length}\r\n\r\n${search}`.repeat(5000));
    }),
  patterns: () =>
    times(64, (i) => send("POST", "/f/_search", JSON.stringify(hostile[i % hostile.length]))),
  shards: () =>
    send(
      "PUT",
      "/many",
      JSON.stringify({ settings: { number_of_shards: 990, number_of_replicas: 0 } }),
    ),
};

async function health() {
  const agent = new http.Agent({ keepAlive: true });
  const elapsed = [];
  let isOver = false;
  parentPort.on("message", () => {
    isOver = true;
    parentPort.unref();
  });
  while (!isOver) {
    const sentMs = performance.now();
    const isGood = await new Promise((resolve) => {
      const request = http.get(`${url}/_cluster/health`, { agent }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode === 200));
      });
      request.on("error", () => resolve(false));
      request.setTimeout(30_000, () => request.destroy());
    });
    elapsed.push(isGood ? performance.now() - sentMs : 30_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  agent.destroy();
  elapsed.sort((a, b) => a - b);
  const at = (share) =>
    Math.round(elapsed[Math.min(elapsed.length - 1, Math.floor(share * elapsed.length))]);
  return { count: elapsed.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

const told = kind === "health" ? await health() : await loads[kind]().then(() => seen);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- another thread, no other page
parentPort.postMessage(told);
