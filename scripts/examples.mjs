/**
 * Asks a server what the examples of the product's rows ask, and prints where it answers otherwise. Everything that the server holds is deleted:
 *
 *   node scripts/examples.mjs --url http://localhost:9200 [--show] [FILE...]
 *
 * `--show` prints each answer, to write examples by. Ends with 1 when an answer differs.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { differences, preparations, readExample, requestOf } from "../test/examples/example.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string" }, show: { type: "boolean" } },
});
if (values.url === undefined) {
  console.error("which server? --url http://localhost:9200 (everything that it holds is deleted)");
  process.exit(2);
}
const folder = join(import.meta.dirname, "../test/examples");
const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => join(folder, file))
  .toSorted();

async function ask({ method, path, body }) {
  const type = body.includes("}\n") ? "application/x-ndjson" : "application/json";
  const headers = { "content-type": type };
  const options = body === "" ? { method } : { method, headers, body };
  const answer = await fetch(values.url + path, options);
  const text = await answer.text();
  return { status: answer.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
}

/** What earlier examples may have left. */
async function clear() {
  for (const path of [
    "/_all?expand_wildcards=all",
    "/_data_stream/*",
    "/_template/*",
    "/_index_template/*",
    "/_component_template/*",
    "/_ingest/pipeline/*",
    "/_search/scroll/_all",
    "/_search/point_in_time/_all",
  ]) {
    await ask({ method: "DELETE", path, body: "" });
  }
}

let failed = 0;
for (const file of positionals.length > 0 ? positionals : all) {
  await clear();
  const example = readExample(file);
  const found = [];
  for (const request of preparations(example)) {
    const answer = await ask(request);
    if (answer.status !== 200 || answer.body.errors === true) found.push(JSON.stringify(answer));
  }
  for (const exchange of example.exchanges) {
    const request = requestOf(exchange);
    const answer = await ask(request);
    const shown = `${request.method} ${request.path} ${request.body}`;
    if (values.show === true)
      console.log(`${shown}\n${answer.status} ${JSON.stringify(answer.body, undefined, 1)}`);
    for (const difference of differences(exchange, answer)) found.push(`${shown}: ${difference}`);
  }
  if (found.length === 0) continue;
  failed += 1;
  console.log(`${file}\n  ${found.join("\n  ")}`);
}
await clear();
console.log(`${failed} examples are answered otherwise`);
process.exitCode = failed > 0 ? 1 : 0;
