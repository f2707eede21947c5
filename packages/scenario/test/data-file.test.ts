/** Documents from a file: what may be in it, what is refused, and that a plan which was read needs the file no more. */
import { sentenceOf } from "../src/checkers/checker.ts";
import { describe, expect, test } from "vitest";
import { parsePlan, parseScenario, runScenario, writePlan, type FileText } from "../src/index.ts";
import { newHistory } from "../src/history.ts";
import { noAcknowledgedWriteLost } from "../src/checkers/no-acknowledged-write-lost.ts";
import { newClient } from "../src/world.ts";
import { scenario as small, startTestWorld } from "./world.ts";

const bulkLines = `{"index": {"_id": "7"}}
{"name":"Amber","balance":39225.0}
{"create": {"_index": "other", "_id": 8}}
{"name":"Hattie","balance":5686}
`;
const documentLines = '{"name":"Amber"}\n\n{"name":"Hattie"}\n';

function scenario(data: string): string {
  return `name: test/files
claim: Used by tests.
indices: { people: { data: ${data} } }
workload: { kind: bulk, index: people, documents: 2, requests: 2 }
phases: { faults: 1s, converge: 60s }
checkers: [no-acknowledged-write-lost, searches-see-refreshed-documents, converges-to-green]
`;
}

function read(text: string, data = "{ file: people.ndjson }"): ReturnType<typeof parseScenario> {
  const readFile = (name: string): FileText =>
    name === "people.ndjson" ? { text } : { refusal: "which is not there" };
  return parseScenario("test.yaml", scenario(data), { readFile });
}

function contentsOf(text: string, data?: string): unknown {
  const found = read(text, data).indices[0]?.data;
  return found !== undefined && "contents" in found ? found.contents : undefined;
}

test("lines for _bulk keep their ids and their bytes", () => {
  expect(contentsOf(bulkLines)).toEqual([
    { id: "7", source: '{"name":"Amber","balance":39225.0}' },
    { id: "8", source: '{"name":"Hattie","balance":5686}' },
  ]);
});

test("lines that are documents are numbered", () => {
  expect(contentsOf(documentLines)).toEqual([
    { id: "1", source: '{"name":"Amber"}' },
    { id: "2", source: '{"name":"Hattie"}' },
  ]);
});

test("only so many are taken as the plan says", () => {
  expect(contentsOf(bulkLines, "{ file: people.ndjson, documents: 1 }")).toHaveLength(1);
});

describe("a file is refused", () => {
  test.each([
    ["is empty", "\n", "which holds no document"],
    ["is no JSON", "name,balance\n", "which is not NDJSON: line 1 is no JSON object"],
    ["is JSON of another kind", '{"a":1}\n[2]\n', "which is not NDJSON: line 2 is no JSON object"],
    [
      "deletes",
      `${bulkLines}{"delete":{"_id":"7"}}\n{}`,
      "which has in line 5 no action: only [index] and [create] can be loaded",
    ],
    [
      "says more of a document than its id",
      '{"index":{"_id":"1","routing":"x"}}\n{}\n',
      "which has [routing] in line 1: only [_id] can be loaded",
    ],
    [
      "ends too early",
      `${bulkLines}\n{"index":{}}\n`,
      "which ends with line 6, an action without a document",
    ],
    ["repeats an id", `${bulkLines}${bulkLines}`, "which has two documents of the id [7]"],
    ["has an odd id", '{"index":{"_id":[1]}}\n{}', "which has in line 1 an [_id] that is no text"],
  ])("that %s", (_what, text, says) => {
    expect(() => read(text)).toThrow(`test.yaml:3:30: [file] names [people.ndjson], ${says}`);
  });

  test("that is not there, or where no file can be read", () => {
    const data = "{ file: missing.ndjson }";

    expect(() => read(bulkLines, data)).toThrow(
      "test.yaml:3:30: [file] names [missing.ndjson], which is not there",
    );
    expect(() => parseScenario("test.yaml", scenario(data))).toThrow(
      "[file] names [missing.ndjson], and no file can be read here",
    );
  });

  test("of which more documents are wanted than it holds", () => {
    expect(() => read(bulkLines, "{ file: people.ndjson, documents: 3 }")).toThrow(
      "test.yaml:3:51: [documents] is 3, and [people.ndjson] holds 2",
    );
  });

  test("and is no dataset besides", () => {
    expect(() => read(bulkLines, "{ file: people.ndjson, dataset: words }")).toThrow(
      "unknown key [dataset]: expected one of [file, documents, contents]",
    );
    expect(() => read(bulkLines, "{ fil: people.ndjson }")).toThrow(
      "unknown key [fil] -> did you mean [file]?",
    );
  });
});

test("a plan that was read holds the documents, and runs the same where the file is not", async () => {
  const plan = read(bulkLines);

  const again = parsePlan("test", writePlan(plan));

  expect(again).toEqual(plan);
  const [first, second] = [await runScenario(plan, 1), await runScenario(again, 1)];
  expect(first).toMatchObject({ verdict: "pass", acknowledged: 6 });
  expect(second.hash).toBe(first.hash);
});

test("contents that are no JSON object are refused", () => {
  const contents = (source: string): string =>
    `{ file: people.ndjson, contents: [{ id: "1", source: '${source}' }] }`;

  expect(contentsOf("", contents('{"a":1}'))).toEqual([{ id: "1", source: '{"a":1}' }]);
  expect(() => read("", contents("[]"))).toThrow("[source] must be the text of a JSON object");
});

test("INV-DATA-1: a document without a value that is lost, or is another one, is found", async () => {
  const { world, tell } = await startTestWorld();
  const written = { kind: "index", client: "loader", request: 1, node: "node-1" } as const;
  const findingFor = (wrote: Readonly<Record<string, string>>): Promise<string | undefined> =>
    tell(async () => {
      const history = newHistory();
      history.operations.push({
        ...{ ...written, index: "books", document: "a", outcome: "ok", wrote, seqNo: 5 },
        ...{ invokedMs: 0, returnedMs: 1 },
      });
      return sentenceOf(await noAcknowledgedWriteLost.finish?.(world, small, history));
    });
  const uri = "/books/_doc/a";
  const body = '{"name":"Amber"}';

  const lost = await findingFor({ name: "Amber" });
  await tell(() =>
    world.request(newClient("test"), "node-1", { method: "PUT", uri, body, timeoutMs: 30_000 }),
  );

  expect(lost).toContain("the document [a] of [books]: its write of");
  expect(await findingFor({ name: "Amber" })).toBeUndefined();
  expect(await findingFor({ name: "Hattie" })).toContain(
    "the document [a] of [books]: its write of",
  );
});
