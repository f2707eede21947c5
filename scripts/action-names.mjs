/**
 * Lists the product's names of actions, as string constants of its classes have them: node scripts/action-names.mjs FOLDER, where FOLDER
 * holds the jars. The output is packages/rest/test/action-names.txt.
 *
 * Constants that the compiler joined are whole; suffixes that the product appends when it runs (`[s]`, `[p]`, `[r]`, `[n]`) are not
 * in the list.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: node scripts/action-names.mjs FOLDER");
  process.exit(2);
}
const jars = readdirSync(folder)
  .filter((file) => file.endsWith(".jar"))
  .toSorted();
const core = jars.find((file) => /^opensearch-\d[\d.]*\.jar$/.test(file));
if (core === undefined) {
  console.error(`there is no opensearch-VERSION.jar in [${folder}]`);
  process.exit(2);
}
/** At least two parts: `indices:data/read` and `cluster:monitor` are beginnings of names, by which the product groups them. */
const isName = /^(?!indices:data\/\w+$)(?:indices|cluster|internal):\w+\/[\w/[\]-]*[\w\]]$/;
const names = new Set(
  jars.flatMap((file) => classesIn(readFileSync(join(folder, file))).flatMap(textsIn)),
);
const version = /-(\d[\d.]*)\.jar$/.exec(core)?.[1];
console.log(
  `# Names of actions in the classes of OpenSearch ${version} and of the modules of its minimal distribution.`,
);
console.log("# Made from a folder of their jars: node scripts/action-names.mjs FOLDER");
const found = [...names].filter((text) => isName.test(text));
for (const name of found.toSorted((a, b) => (a < b ? -1 : 1))) console.log(name);

/** Contents of the class files of a jar, found by its central directory. */
function classesIn(jar) {
  const end = jar.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const classes = [];
  let at = jar.readUInt32LE(end + 16);
  for (let left = jar.readUInt16LE(end + 10); left > 0; left -= 1) {
    const method = jar.readUInt16LE(at + 10);
    const size = jar.readUInt32LE(at + 20);
    const nameLength = jar.readUInt16LE(at + 28);
    const local = jar.readUInt32LE(at + 42);
    const name = jar.toString("utf8", at + 46, at + 46 + nameLength);
    at += 46 + nameLength + jar.readUInt16LE(at + 30) + jar.readUInt16LE(at + 32);
    if (!name.endsWith(".class")) continue;
    const start = local + 30 + jar.readUInt16LE(local + 26) + jar.readUInt16LE(local + 28);
    const bytes = jar.subarray(start, start + size);
    classes.push(method === 0 ? bytes : inflateRawSync(bytes));
  }
  return classes;
}

/** Texts of the constant pool of a class file (JVM specification, 4.4). */
function textsIn(bytes) {
  const texts = [];
  let at = 10;
  const count = bytes.readUInt16BE(8);
  for (let index = 1; index < count; index += 1) {
    const tag = bytes[at];
    if (tag === 1) {
      const length = bytes.readUInt16BE(at + 1);
      texts.push(bytes.toString("utf8", at + 3, at + 3 + length));
      at += 3 + length;
    } else {
      // Long and double take two places.
      if (tag === 5 || tag === 6) index += 1;
      at += sizeOf(tag);
    }
  }
  return texts;
}

function sizeOf(tag) {
  if (tag === 5 || tag === 6) return 9;
  if (tag === 15) return 4;
  return [7, 8, 16, 19, 20].includes(tag) ? 3 : 5;
}
