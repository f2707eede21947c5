/**
 * Plays the recorded calls of a client (`test/clients/NAME/calls.yaml`) against the nodes in turn, and prints a check a call as TAP:
 *
 *   CLUSTER_URLS=URL,URL node scripts/clients/recorded-calls.mjs FILE
 *
 * A call is an exchange of an example (`test/examples/example.ts`) with the headers that the client sends, and `text`, with which the
 * answer must contain these bytes.
 */
import { request } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import {
  differences,
  keptOf,
  preparations,
  readExample,
  requestOf,
} from "../../test/examples/example.ts";

const urls = process.env.CLUSTER_URLS.split(",");
const story = readExample(process.argv[2]);
const kept = new Map();
let failed = 0;

for (const preparation of preparations(story)) {
  const { status, text } = await ask(urls[0], preparation);
  if (status !== 200) throw new Error(text);
}
for (const [i, call] of story.exchanges.entries()) {
  const { status, text } = await ask(urls[i % urls.length], requestOf(call, kept), call.headers);
  const answered = { status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
  for (const [name, value] of keptOf(call, answered)) kept.set(name, value);
  const found = [...differences(call, answered)];
  if (call.text !== undefined && !text.includes(call.text))
    found.push(`${text.slice(0, 200)} does not contain ${call.text}`);
  const about = `${i + 1} - ${call.calls}`;
  console.log(found.length === 0 ? `ok ${about}` : `not ok ${about}\n  # ${found.join("\n  # ")}`);
  if (found.length > 0) failed += 1;
}
console.log(`1..${story.exchanges.length}`);
process.exitCode = failed === 0 ? 0 : 1;

/** `fetch` refuses bodies of GET. */
async function ask(url, { method, path, body }, more = {}) {
  const type = body.includes("}\n") ? "application/x-ndjson" : "application/json";
  const isCompressed = more["content-encoding"] === "gzip";
  const bytes = isCompressed ? gzipSync(body) : Buffer.from(body);
  const length = body === "" ? {} : { "content-type": type, "content-length": bytes.length };
  return new Promise((resolve, reject) => {
    const headers = { ...length, ...more, "accept-encoding": "identity" };
    const sent = request(new URL(path, url), { method, headers }, async (answer) => {
      try {
        resolve({ status: answer.statusCode, text: await textOf(answer) });
      } catch (error) {
        reject(error);
      }
    });
    sent.on("error", reject).end(bytes);
  });
}
