/** The schemas of scenarios and settings files, as a validator of draft-07 and the language service of editors read them. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ValidateFunction } from "ajv";
import { describe, expect, test } from "vitest";
import { getLanguageService, TextDocument, type JSONSchema } from "vscode-json-languageservice";
import { parse } from "yaml";
import { faults } from "../packages/scenario/src/faults/table.ts";
import { keysOf, type Keys } from "../packages/scenario/src/shape.ts";
import { workloads } from "../packages/scenario/src/workloads/table.ts";
import { stepKeys } from "../packages/scenario/src/entry-shape.ts";
import { read, root } from "./repository.ts";

const schemaOf = (path: string): JSONSchema => JSON.parse(read(path)) as JSONSchema;
const scenario = schemaOf("packages/scenario/schema/scenario.schema.json");
const settings = schemaOf("packages/cli/schema/orrery.schema.json");

const strict = { strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true };
const validator = (schema: JSONSchema): ValidateFunction => new Ajv(strict).compile(schema);
const [validScenario, validSettings] = [validator(scenario), validator(settings)];

const service = getLanguageService({});
service.configure({ schemas: [{ uri: String(scenario.$id), fileMatch: ["*"], schema: scenario }] });

/** Completions of the editor at the `|` of a text. */
async function offered(text: string): Promise<readonly string[]> {
  const at = text.indexOf("|");
  const document = TextDocument.create("file:///s.json", "json", 1, text.replace("|", ""));
  const parsed = service.parseJSONDocument(document);
  const found = await service.doComplete(document, document.positionAt(at), parsed);
  return (found?.items ?? []).map(({ label }) => label);
}

test.each(
  readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".yaml"),
  ),
)("scenarios/%s is valid by the schema", (file) => {
  validScenario(parse(read(`scenarios/${file}`)));

  expect(validScenario.errors).toBeNull();
});

test.each([
  ["a kind that does not exist", { faults: [{ kind: "crush", node: "node-1" }] }],
  ["a key of another kind", { faults: [{ kind: "crash", node: "node-1", isolate: "node-2" }] }],
  ["a key that a kind requires", { faults: [{ kind: "partition" }] }],
  ["two actions of an entry", { timeline: [{ request: "GET /", wait: "1s" }] }],
  ["an entry without an action", { timeline: [{ at: "1s" }] }],
  ["a time without a unit", { faults: [{ kind: "crash", node: "node-1", from: "5" }] }],
])("the schema of scenarios rejects %s", (_, part) => {
  expect(validScenario({ name: "a/b", claim: "C.", ...part })).toBe(false);
});

describe("an editor offers", () => {
  test("every kind of fault and workload", async () => {
    const kinds = async (key: string): Promise<readonly string[]> =>
      (await offered(`{"${key}": [{"kind": |}]}`)).map((label) => JSON.parse(label) as string);

    expect((await kinds("faults")).toSorted()).toEqual(Object.keys(faults).toSorted());
    expect((await kinds("workload")).toSorted()).toEqual(Object.keys(workloads).toSorted());
  });

  test.each(Object.entries(faults))("the keys of the fault %s alone", async (kind, { keys }) => {
    const labels = await offered(`{"faults": [{"kind": "${kind}", |}]}`);

    const times = ["from", "to", "for", "within", "every", "when"];
    expect(labels.toSorted()).toEqual(
      [...new Set([...keysOf(keys as Keys<object>), ...times])].toSorted(),
    );
  });

  test.each(Object.entries(workloads))(
    "the keys of the workload %s alone",
    async (kind, { keys }) => {
      const labels = await offered(`{"workload": {"kind": "${kind}", |}}`);

      expect(labels.toSorted()).toEqual(keysOf(keys as Keys<object>).toSorted());
    },
  );

  test("the actions of an entry, and the keys of the one that is written", async () => {
    expect(await offered(`{"timeline": [{|}]}`)).toEqual(
      expect.arrayContaining(["at", "request", "fault", "end", "wait", "start", "stop"]),
    );
    expect(await offered(`{"timeline": [{"request": "GET /", |}]}`)).toEqual(
      expect.arrayContaining([...keysOf(stepKeys)]),
    );
  });
});

test.each([
  [{ nodes: 3, zones: ["a"], "cluster.name": "books" }, true],
  [{ transport: "memory", settings: { action: { auto_create_index: false } } }, true],
  [{ transport: { host: "127.0.0.1" } }, true],
  [{ nodes: 0 }, false],
  [{ nodez: 1 }, false],
  [{ transport: "pigeon" }, false],
])("settings %j are valid by their schema: %j", (given, isValid) => {
  expect(validSettings(given)).toBe(isValid);
});
