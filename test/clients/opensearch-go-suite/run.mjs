/**
 * The Go client's own integration tests against the first node, as TAP. They compare each answer, member by member, with what the
 * client's types have. Tests of what the server does not have are listed with the reason: one that fails is a `TODO`, and one that no
 * longer fails is an error of the list.
 */
import { spawnSync } from "node:child_process";

const [url, ...others] = process.env.CLUSTER_URLS.split(",");
const isOwn = process.env.CLUSTER_PIDS !== undefined;

const noOperation = (...tests) => tests.map((test) => [test, "Orrery does not have the operation"]);

/** By name of a test, whose subtests it includes. */
const expected = new Map([
  ...[
    ["TestNodes/Info", "members of 3.8 that the client does not know"],
    ["TestNodes/Stats", "members of 3.8 that the client does not know"],
    ["TestSnapshotClient", "the location is that of the product's image"],
  ],
  ...(isOwn
    ? [
        ["TestSearch", "Orrery does not have the field type completion"],
        ["TestIngestClient/Simulate", "Orrery does not have verbose simulations"],
        ["TestUpdate", "Orrery does not have painless"],
        ...noOperation(
          "TestCatClient/FieldData",
          "TestCatClient/Tasks",
          "TestCatClient/ThreadPool",
          "TestCatClient/ValidateResponse/FieldData",
          "TestCatClient/ValidateResponse/Tasks",
          "TestCatClient/ValidateResponse/ThreadPool",
          "TestDocumentClient/DeleteByQuery",
          "TestDocumentClient/DeleteByQueryRethrottle",
          "TestDocumentClient/Explain",
          "TestIndicesClient/Analyze",
          "TestIndicesClient/FieldCaps",
          "TestIndicesClient/ResizeOperations",
          "TestIndicesClient/ValidateQuery",
          "TestIngestClient/Grok",
          "TestMSearchTemplate",
          "TestMTermvectors",
          "TestNodes/HotThreads",
          "TestNodes/Usage",
          "TestRankEval",
          "TestReindex",
          "TestReindexRethrottle",
          "TestRenderSearchTemplate",
          "TestScriptClient",
          "TestSearchShards",
          "TestSearchTemplate",
          "TestTasksClient",
          "TestTermvectors",
          "TestUpdateByQuery",
          "TestUpdateByQueryRethrottle",
        ),
      ]
    : [
        ["TestClusterClient/AllocationExplain", "attributes that the client does not know"],
        ["TestClusterClient/Stats", "a null of an embedded product"],
      ]),
]);

const print = (line) => process.stdout.write(`${line}\n`);
const results = ["opensearchapi", "opensearchutil"].flatMap(resultsOf);
const names = results.map(({ name }) => name);
const leaves = results.filter(({ name }) => !names.some((other) => other.startsWith(`${name}/`)));
const failed = new Set();
let errors = 0;
print(`1..${leaves.length}`);
for (const [i, { name, verdict, said }] of leaves.entries()) {
  const entry = entryOf(name);
  const about = `${i + 1} - ${name}`;
  if (verdict !== "FAIL") {
    print(`ok ${about}${verdict === "SKIP" ? " # SKIP" : ""}`);
    continue;
  }
  if (entry !== undefined) failed.add(entry);
  else errors += 1;
  print(`not ok ${about}${entry === undefined ? "" : ` # TODO ${expected.get(entry)}`}`);
  if (entry === undefined) print(said.replaceAll(/^/gm, "  # "));
}
for (const entry of isOwn ? expected.keys() : []) {
  if (failed.has(entry)) continue;
  errors += 1;
  print(`not ok - ${entry} is listed as failing, and passes`);
}
process.exitCode = errors === 0 ? 0 : 1;

/** The nearest entry that includes the test. */
function entryOf(name) {
  for (let part = name; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf("/"))))
    if (expected.has(part)) return part;
  return undefined;
}

function resultsOf(program) {
  const env = {
    ...process.env,
    OPENSEARCH_URL: url,
    OPENSEARCH_VERSION: "3.8.0",
    OPENSEARCH_NODE_COUNT: String(others.length + 1),
    SECURE_INTEGRATION: "false",
  };
  const args = ["-test.v", "-test.timeout", "300s"];
  const { stdout, error } = spawnSync(`./${program}.test`, args, {
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw error;
  const found = [...stdout.matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+)/gm)];
  if (found.length === 0) throw new Error(stdout.slice(-1000));
  if (/^panic: /m.test(stdout)) found.push(["", "FAIL", `${program} until its end`]);
  return found.map(([, verdict, name]) => ({ name, verdict, said: saidOf(stdout, name) }));
}

/** Output of the test, shortened. */
function saidOf(stdout, name) {
  const line = stdout.indexOf(`Test:       \t${name}\n`);
  return line < 0 ? "" : stdout.slice(Math.max(0, line - 600), line);
}
