/** Prototypes of the language that take no members, in a thread of its own: what is closed stays closed. */
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";

const source = new URL("../src/closed-prototypes.ts", import.meta.url).href;

/** What the program posts, in a realm of its own. */
function inThread(program: string): Promise<unknown> {
  const code = `import(${JSON.stringify(source)}).then((stdx) => { "use strict"; ${program} });`;
  const text = `const { parentPort } = require("node:worker_threads"); ${code}`;
  const thread = new Worker(text, { eval: true });
  return new Promise((resolve, reject) => thread.once("message", resolve).once("error", reject));
}

const ATTEMPTS = `
  const attempt = (change) => { try { change(); return "done"; } catch (error) { return error.name; } };
  const attempts = () => [
    attempt(() => { Object.prototype.polluted = 1; }),
    attempt(() => { Array.prototype.polluted = 1; }),
    attempt(() => { Object.defineProperty(Map.prototype, "polluted", { value: 1 }); }),
    attempt(() => { ({}).constructor.prototype.polluted = 1; }),
    attempt(() => { Object.getPrototypeOf(Uint8Array.prototype).polluted = 1; }),
  ];`;

test("closed prototypes take no member, and objects still shadow what they inherit", async () => {
  const told = await inThread(`${ATTEMPTS} stdx.closePrototypes();
    const own = {}; own.toString = () => "own";
    parentPort.postMessage({ attempts: attempts(), own: String(own), polluted: {}.polluted });`);

  expect(told).toEqual({
    attempts: Array.from({ length: 5 }, () => "TypeError"),
    own: "own",
    polluted: undefined,
  });
});

test("in a closed realm __proto__ is a name like any other", async () => {
  const told = await inThread(`stdx.closeRealm();
    const record = {}; record["__proto__"] = { x: 1 };
    parentPort.postMessage([JSON.stringify(record), record.x, {}["__proto__"]]);`);

  expect(told).toEqual(['{"__proto__":{"x":1}}', undefined, undefined]);
});
