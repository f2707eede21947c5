/**
 * Starts the image, in a namespace without a network of the host's, and waits for it as testcontainers does: first one node,
 * then the three of docker/compose.yml. Run by `npm run image -- --check` with two files: where the image is,
 * and where the times go.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { root } from "../prepare.mjs";
import { createEngine } from "./container.mjs";
import { say } from "./tools.mjs";

const built = JSON.parse(readFileSync(process.argv[2], "utf8"));
const engine = createEngine(built);
/** Time for anything that is waited for. */
const PATIENCE_MS = 120_000;

const one = await checkOneNode();
const three = await checkThreeNodes();
writeFileSync(process.argv[3], JSON.stringify({ ...one, three_nodes: three }));

/** One node with the variables of the modules of testcontainers; then again, in another container with its data. */
async function checkOneNode() {
  say("one node …");
  const options = {
    name: "3f1c2a9be0d7",
    volumes: [["data", "/usr/share/opensearch/data"]],
    environment: {
      "discovery.type": "single-node",
      "bootstrap.memory_lock": "true",
      "cluster.name": "books",
      DISABLE_SECURITY_PLUGIN: "true",
      DISABLE_INSTALL_DEMO_CONFIG: "true",
      OPENSEARCH_INITIAL_ADMIN_PASSWORD: "_ad0m#Ns_",
      OPENSEARCH_JAVA_OPTS: "-Xms512m -Xmx512m",
    },
  };
  const node = engine.start(options);
  const listening = await waitForHttp(node, "/", ({ status }) => status === 200);
  const listeningMs = Math.round(performance.now() - node.startedMs);
  assert.equal(JSON.parse(listening.text).cluster_name, "books");
  assert.equal(
    JSON.parse(listening.text).tagline,
    "The OpenSearch Project: https://opensearch.org/",
  );
  await waitForHttp(
    node,
    "/_cluster/health?wait_for_status=green&timeout=1s",
    ({ status }) => status === 200,
  );
  const greenMs = Math.round(performance.now() - node.startedMs);
  await within(node.line(/\] started$/), "the line of a started node");
  assert.match(node.run(["id"]).output, /^uid=1000/);
  assert.deepEqual(node.run(["opensearch-healthcheck"]), { status: 0, output: "HTTP/1.1 200 OK" });
  await call(node, "PUT", "/books/_doc/1?refresh=true", { title: "Orrery" });
  assert.equal((await call(node, "GET", "/books/_doc/1"))._source.title, "Orrery");
  const residentBytes = node.residentBytes();
  const { exit, stopMs } = await stop(node);

  say("its data in another container …");
  const again = engine.start({ ...options, name: "77b02f6a81c4" });
  await waitForHttp(
    again,
    "/_cluster/health/books?wait_for_status=yellow&timeout=1s",
    ({ status }) => status === 200,
  );
  assert.equal((await call(again, "GET", "/books/_doc/1"))._source.title, "Orrery");
  assert.equal((await stop(again)).exit, 0);
  return {
    listening_ms: listeningMs,
    green_ms: greenMs,
    resident_bytes: residentBytes,
    exit,
    stop_ms: stopMs,
  };
}

/** The nodes of the compose file: they find each other, survive the loss of one, and stop. */
async function checkThreeNodes() {
  say("the three nodes of docker/compose.yml …");
  const { services } = parse(readFileSync(join(root, "docker/compose.yml"), "utf8"), {
    merge: true,
  });
  const names = Object.keys(services);
  const hosts = Object.fromEntries(names.map((name, i) => [name, `10.89.0.${101 + i}`]));
  const startNode = (name, address) => {
    const { environment, volumes } = services[name];
    return engine.start({
      ...{ name, hosts, address, environment },
      volumes: volumes.map((volume) => volume.split(":")),
    });
  };
  const begun = performance.now();
  const nodes = names.map((name, i) => startNode(name, 101 + i));
  const health = `/_cluster/health?wait_for_nodes=${names.length}&wait_for_status=green&timeout=1s`;
  for (const node of nodes) await waitForHttp(node, health, ({ status }) => status === 200);
  const greenMs = Math.round(performance.now() - begun);
  const [first, second, third] = nodes;
  await call(first, "PUT", "/books", { settings: { number_of_replicas: 2 } });
  await waitForHttp(
    first,
    "/_cluster/health/books?wait_for_status=green&timeout=1s",
    ({ status }) => status === 200,
  );
  await call(first, "PUT", "/books/_doc/1?refresh=true", { title: "Orrery" });
  assert.equal((await call(third, "GET", "/books/_doc/1"))._source.title, "Orrery");
  for (const node of nodes) assert.equal(node.run(["opensearch-healthcheck"]).status, 0);

  say("one of them lost, and replaced by a container with another address …");
  second.kill("SIGKILL");
  await second.exit;
  const replaced = { ...services[second.name], address: 150 };
  hosts[second.name] = "10.89.0.150";
  const again = startNode(second.name, replaced.address);
  await waitForHttp(
    again,
    `${health}&wait_for_no_initializing_shards=true`,
    ({ status }) => status === 200,
  );
  assert.equal((await call(again, "GET", "/books/_doc/1"))._source.title, "Orrery");
  const stopped = await Promise.all([first, again, third].map(stop));
  assert.deepEqual(
    stopped.map(({ exit }) => exit),
    [0, 0, 0],
  );
  return { green_ms: greenMs, stop_ms: Math.max(...stopped.map(({ stopMs }) => stopMs)) };
}

async function stop(node) {
  const begun = performance.now();
  node.kill();
  const exit = await within(node.exit, `the end of ${node.name}`);
  return { exit, stopMs: Math.round(performance.now() - begun) };
}

/** Requests the path until the answer is as wanted, as `HttpWaitStrategy` of testcontainers does, only more often. */
async function waitForHttp(node, path, isWanted) {
  const end = performance.now() + PATIENCE_MS;
  let last;
  const endings = [];
  void node.exit.then((code) => endings.push(`ended with ${code}`));
  while (performance.now() < end && endings.length === 0) {
    try {
      const response = await fetch(`http://${node.address}:9200${path}`, {
        headers: { authorization: `Basic ${btoa("admin:_ad0m#Ns_")}` },
        signal: AbortSignal.timeout(10_000),
      });
      last = { status: response.status, text: await response.text() };
      if (isWanted(last)) return last;
    } catch (error) {
      last = { error: String(error.cause ?? error) };
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  const [why = "waits in vain"] = endings;
  throw new Error(
    `${node.name} ${why} for [${path}]: ${JSON.stringify(last)}\n${node.lines.slice(-20).join("\n")}`,
  );
}

async function call(node, method, path, body) {
  const response = await fetch(`http://${node.address}:9200${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what} did not come within ${PATIENCE_MS / 1000} s`)),
      PATIENCE_MS,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
