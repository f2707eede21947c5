/** An index that elasticdump copies to files and back: settings, analyzers, mapping, aliases, templates, documents. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

const [url, second = url] = process.env.CLUSTER_URLS.split(",");
const folder = mkdtempSync(join(tmpdir(), "elasticdump-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const program = join(import.meta.dirname, "node_modules/elasticdump/bin/elasticdump");

async function dump(input, output, type, ...more) {
  const args = [`--input=${input}`, `--output=${output}`, `--type=${type}`, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args]);
  assert.match(stdout, /dump complete/, stdout);
  return stdout;
}

async function ask(method, path, body) {
  const headers = {
    "content-type": path.includes("_bulk") ? "application/x-ndjson" : "application/json",
  };
  const sent = typeof body === "object" ? JSON.stringify(body) : body;
  const init = sent === undefined ? { method } : { method, headers, body: sent };
  const response = await fetch(`${url}${path}`, init);
  const answer = await response.json();
  assert(response.ok, JSON.stringify(answer));
  return answer;
}

const file = (name) => join(folder, name);
const lines = (name) =>
  readFileSync(file(name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const analysis = {
  analyzer: { words: { type: "custom", tokenizer: "standard", filter: ["lowercase"] } },
};
const properties = { title: { type: "text", analyzer: "words" }, n: { type: "long" } };

void test("to files", async () => {
  await ask("PUT", "/source", {
    settings: { number_of_shards: 2, analysis },
    mappings: { properties },
    aliases: { current: { filter: { term: { n: 1 } } } },
  });
  const documents = Array.from({ length: 250 }, (_, n) => [
    { index: { _id: `d-${n}`, routing: n % 2 === 0 ? "even" : undefined } },
    { title: `Title ${n}`, n },
  ]);
  const body = documents.flat().map((line) => `${JSON.stringify(line)}\n`);
  await ask("POST", "/source/_bulk?refresh=true", body.join(""));
  await ask("PUT", "/_index_template/dumped", {
    index_patterns: ["dumped-*"],
    template: { settings: { number_of_shards: 1 } },
  });
  for (const type of ["settings", "mapping", "data", "alias"])
    await dump(`${url}/source`, file(type), type, "--limit=100");
  await dump(`${url}/dumped`, file("index_template"), "index_template");
  assert.equal(lines("data").length, 250);
  assert.deepEqual(lines("mapping")[0].source.mappings, { properties });
});

void test("from the server and from files into another index", async () => {
  // The tool makes the index, and reads no analyzers from files.
  await dump(`${url}/source`, `${second}/target`, "analyzer");
  await dump(file("mapping"), `${second}/target`, "mapping");
  await dump(file("data"), `${second}/target`, "data", "--limit=60");
  await ask("POST", "/target/_refresh");
  assert.equal((await ask("GET", "/target/_count")).count, 250);
  const got = await ask("GET", "/target");
  assert.deepEqual(got.target.mappings, { properties });
  assert.deepEqual(got.target.settings.index.analysis.analyzer.words.filter, ["lowercase"]);
  const { _routing: routing, _source: source } = await ask("GET", "/target/_doc/d-2?routing=even");
  assert.deepEqual({ routing, source }, { routing: "even", source: { title: "Title 2", n: 2 } });
});

void test("documents that match a query, from node to node", async () => {
  const searchBody = JSON.stringify({ query: { range: { n: { lt: 100 } } } });
  await dump(`${url}/source`, `${second}/part`, "data", `--searchBody=${searchBody}`, "--limit=30");
  await ask("POST", "/part/_refresh");
  assert.equal((await ask("GET", "/part/_count")).count, 100);
});

void test("aliases and templates", async () => {
  await ask("DELETE", "/source/_alias/current");
  await dump(file("alias"), url, "alias");
  assert.deepEqual((await ask("GET", "/source/_alias")).source.aliases, {
    current: { filter: { term: { n: 1 } } },
  });
  await ask("DELETE", "/_index_template/dumped");
  await dump(file("index_template"), url, "index_template");
  const {
    index_templates: [template],
  } = await ask("GET", "/_index_template/dumped");
  assert.deepEqual(template.index_template.index_patterns, ["dumped-*"]);
});
