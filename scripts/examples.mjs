/**
 * Asks a server what the examples of the product's rows ask, and prints where it answers otherwise. Everything that the server holds is
 * deleted, with its settings and the snapshots of its repositories:
 *
 *   node scripts/examples.mjs --url http://localhost:9200 [--show] [FILE...]
 *
 * `--show` prints each answer, to write examples by. Ends with 1 when an answer differs.
 */
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { parseArgs } from "node:util";
import {
  differences,
  keptOf,
  preparations,
  readExample,
  requestOf,
} from "../test/examples/example.ts";
import { emptyServer } from "./empty-server.mjs";

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

// `fetch` refuses bodies of GET, which several operations read.
async function ask({ method, path, body }) {
  const type = body.includes("}\n") ? "application/x-ndjson" : "application/json";
  const headers =
    body === "" ? {} : { "content-type": type, "content-length": Buffer.byteLength(body) };
  const { status, text } = await new Promise((resolve, reject) => {
    const sent = request(new URL(path, values.url), { method, headers }, async (answer) => {
      try {
        resolve({ status: answer.statusCode, text: await textOf(answer) });
      } catch (error) {
        reject(error);
      }
    });
    sent.on("error", reject).end(body);
  });
  return { status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
}

let failed = 0;
for (const file of positionals.length > 0 ? positionals : all) {
  await emptyServer(values.url);
  const example = readExample(file);
  const found = [];
  for (const preparation of preparations(example)) {
    const answer = await ask(preparation);
    if (answer.status !== 200 || answer.body.errors === true) found.push(JSON.stringify(answer));
  }
  const kept = new Map();
  for (const exchange of example.exchanges) {
    const asked = requestOf(exchange, kept);
    const answer = await ask(asked);
    for (const [name, value] of keptOf(exchange, answer)) kept.set(name, value);
    const shown = `${asked.method} ${asked.path} ${asked.body}`;
    if (values.show === true)
      console.log(`${shown}\n${answer.status} ${JSON.stringify(answer.body, undefined, 1)}`);
    for (const difference of differences(exchange, answer)) found.push(`${shown}: ${difference}`);
  }
  if (found.length === 0) continue;
  failed += 1;
  console.log(`${file}\n  ${found.join("\n  ")}`);
}
await emptyServer(values.url);
console.log(`${failed} examples are answered otherwise`);
process.exitCode = failed > 0 ? 1 : 0;
