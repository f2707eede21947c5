/**
 * CPU time that traces add to requests of one node: npm run bench -- tracing [--runs 5]
 *
 * Four servers take the same requests in turns: without tracing, with tracing that records no trace, with every request recorded
 * and a collector that does not exist, and without tracing once more, which shows what the machine does to the ratios. The CPU time of a server is
 * disturbed less than its rate by other work on the machine.
 */
import { cpuByThread } from "./bench-against.mjs";

const REQUESTS = 1000;

const feature = ["-E", "telemetry.feature.tracer.enabled=true"];
const on = [...feature, "-E", "telemetry.tracer.enabled=true", "-E"];
const servers = [
  { name: "off", flags: [] },
  { name: "off, once more", flags: [] },
  { name: "no request sampled", flags: [...on, "telemetry.tracer.sampler.probability=0"] },
  {
    name: "every request sampled, dead collector",
    flags: [
      ...[...on, "telemetry.tracer.sampler.probability=1"],
      ...["-E", "orrery.telemetry.endpoint=http://127.0.0.1:1"],
    ],
  },
];

export async function tracing({ up, call, runs }) {
  const started = [];
  for (const [i, server] of servers.entries()) {
    const cluster = await up(
      "--nodes",
      "1",
      "--http-port",
      String(28_200 + 10 * i),
      ...server.flags,
    );
    const { http, pid } = cluster.nodes[0];
    for (let id = 0; id < 50; id += 1)
      await call(http, "PUT", `/books/_doc/${id}`, JSON.stringify({ n: id, title: `book ${id}` }));
    await call(http, "POST", "/books/_refresh");
    started.push({ ...server, cluster, http, pid, cpu: [] });
  }
  // The first round warms the compiler.
  for (let run = 0; run <= runs; run += 1) {
    for (const server of run % 2 === 0 ? started : started.toReversed()) {
      const before = cpuByThread(server.pid).get("the server");
      await load(call, server.http);
      if (run > 0) server.cpu.push(cpuByThread(server.pid).get("the server") - before);
    }
  }
  for (const { cluster } of started) await cluster.stop();
  const [{ cpu: base }] = started;
  for (const { name, cpu } of started) {
    const ratios = cpu.map((ms, run) => ms / base[run]).toSorted((a, b) => a - b);
    const each = (cpu.reduce((a, b) => a + b) / cpu.length / REQUESTS) * 1000;
    console.log(
      `${name.padEnd(40)} ${Math.round(each)} µs of CPU a request, ${ratios[Math.floor(ratios.length / 2)].toFixed(3)} of [off] ` +
        `(${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)})`,
    );
  }
}

async function load(call, url) {
  const body = JSON.stringify({ query: { match: { title: "book" } } });
  for (let i = 0; i < REQUESTS; i += 2) {
    await call(url, "POST", "/books/_search", body);
    await call(url, "GET", `/books/_doc/${i % 50}`);
  }
}
