/** A script engine that no core file knows, over shards of three nodes. */
import { composeProduct } from "@orrery/node";
import type { Json, JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { inSnapshotWorld, type SnapshotWorld } from "../../snapshot-world.ts";
import { postfix } from "./plugin.ts";

const product = composeProduct([postfix]);

async function write({ ask }: SnapshotWorld): Promise<void> {
  const settings = { number_of_shards: 3, number_of_replicas: 0 };
  const properties = { stars: { type: "integer" }, name: { type: "keyword" } };
  await ask("PUT", "/books", { settings, mappings: { properties } });
  for (let i = 0; i < 6; i += 1)
    await ask("PUT", `/books/_doc/${i}?refresh=true`, { stars: i, name: `b${i}` });
}

interface Hit {
  readonly _id: string;
  readonly _score: number | null;
  readonly sort: readonly Json[];
  readonly fields: JsonObject;
}

async function search({ ask }: SnapshotWorld, body: JsonObject): Promise<readonly Hit[]> {
  const { status, body: found } = await ask("POST", "/books/_search", body);
  expect(status, JSON.stringify(found)).toBe(200);
  return (found as unknown as { readonly hits: { readonly hits: readonly Hit[] } }).hits.hits;
}

async function refusal({ ask }: SnapshotWorld, body: JsonObject): Promise<string> {
  const { status, body: told } = await ask("POST", "/books/_search", body);
  expect(status).toBe(400);
  return JSON.stringify(told);
}

function script(source: string, params: JsonObject = {}): JsonObject {
  return { script: { lang: "postfix", source, params } };
}

const inPostfixWorld = (body: (world: SnapshotWorld) => Promise<void>): Promise<string> =>
  inSnapshotWorld(
    5,
    async (world) => {
      await write(world);
      await body(world);
    },
    { product },
  );

describe("a script engine of a plugin", () => {
  test("filters, scores, sorts and shows fields on all shards", () =>
    inPostfixWorld(async (world) => {
      const filter = { script: script("$stars #least >", { least: 2 }) };
      const query = { script_score: { query: filter, ...script("$stars score *") } };
      const hits = await search(world, {
        query,
        script_fields: { twice: script("$stars 2 *") },
      });
      expect(hits.map(({ _id, _score, fields }) => [_id, _score, fields])).toEqual([
        ["5", 5, { twice: [10] }],
        ["4", 4, { twice: [8] }],
        ["3", 3, { twice: [6] }],
      ]);
      const numbers = { _script: { type: "number", order: "desc", ...script("$stars 3 -") } };
      const sorted = await search(world, { sort: numbers, size: 2 });
      expect(sorted.map(({ sort }) => sort[0])).toEqual([2, 1]);
    }));

  test("sorts by texts, and by scores that hits do not show", () =>
    inPostfixWorld(async (world) => {
      const texts = { _script: { type: "string", ...script("$stars 7 joined") } };
      const byText = await search(world, { sort: texts, size: 2 });
      expect(byText.map(({ sort }) => sort[0])).toEqual(["0/7", "1/7"]);
      const query = { constant_score: { filter: { match_all: {} }, boost: 3 } };
      const scores = { _script: { type: "number", ...script("score $stars *") } };
      const byScore = await search(world, { query, sort: scores, size: 2 });
      expect(byScore.map(({ sort, _score }) => [sort[0], _score])).toEqual([
        [0, null],
        [3, null],
      ]);
    }));

  test("refuses sources, fields and contexts in its own words", () =>
    inPostfixWorld(async (world) => {
      const bad = (source: string): Promise<string> =>
        refusal(world, { query: { script: script(source) } });
      expect(await bad("$stars +")).toContain("[postfix] [+] lacks a number");
      expect(await bad("$feild")).toContain("[postfix] there is no field [feild]");
      const aggs = { a: { sum: script("$stars") } };
      expect(await refusal(world, { aggs })).toContain(
        "postfix engine does not know how to handle script context [aggs]",
      );
    }));

  test("is listed beside the core's", () =>
    inPostfixWorld(async ({ ask }) => {
      const { body } = await ask("GET", "/_script_language");
      const listed = (body as { readonly language_contexts: readonly JsonObject[] })
        .language_contexts;
      expect(listed.map(({ language }) => language)).toEqual(["expression", "postfix"]);
    }));
});

test("without the plugin its language is unknown", () =>
  inSnapshotWorld(5, async (world) => {
    await write(world);
    expect(await refusal(world, { query: { script: script("1") } })).toContain(
      "script_lang not supported [postfix]",
    );
  }));
