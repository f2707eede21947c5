/** BM25 against recorded answers of the product: the Cranfield collection. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { memoryShard, search, type MemoryDocument, type MemoryShard } from "./memory-shard.ts";

const shared = join(import.meta.dirname, "../../../../shared");
const documentsFile = join(shared, "data/cranfield-docs.bulk.ndjson");
const recordedFile = join(shared, "recorded/cranfield-bm25.ndjson");
const isAvailable = existsSync(documentsFile) && existsSync(recordedFile);

interface Exchange {
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: string };
  readonly response: { readonly body: { readonly hits?: RecordedHits } };
}

interface RecordedHits {
  readonly total: { readonly value: number; readonly relation: string };
  readonly max_score: number | null;
  readonly hits: readonly { readonly _id: string; readonly _score: number }[];
}

describe.skipIf(!isAvailable)("the 225 Cranfield queries (skipped without ../shared)", () => {
  const exchanges = isAvailable ? readLines<Exchange>(recordedFile) : [];
  const shards = new Map<string, MemoryShard>();
  const parts = [
    ...new Set(exchanges.flatMap(({ name }) => /^query \d+: (.*)$/.exec(name)?.[1] ?? [])),
  ];

  test.each(parts)("%s: ids, order, totals and scores are the recorded ones", (part) => {
    const queries = exchanges.filter(({ name }) => name.endsWith(`: ${part}`));

    for (const { name, request, response } of queries) {
      const index = request.path.split("/")[1] ?? "";
      const answer = search(shardOf(index), JSON.parse(request.body ?? "{}") as JsonObject);
      const expected = response.body.hits as RecordedHits;
      const actual = answer.hits.map((hit) => hit["_id"]);
      expect(actual, name).toEqual(expected.hits.map(({ _id }) => _id));
      expect(answer.total, name).toEqual(expected.total);
      for (const [i, { _score }] of expected.hits.entries()) {
        expect(Math.abs(Number(answer.hits[i]?.["_score"]) - _score), name).toBeLessThan(
          1e-5 * Math.max(1, _score),
        );
      }
    }

    expect(queries.length).toBeGreaterThan(200);
  });

  function shardOf(index: string): MemoryShard {
    const known = shards.get(index);
    if (known !== undefined) return known;
    const create = exchanges.find(
      ({ request }) => request.method === "PUT" && request.path === `/${index}`,
    );
    const body = JSON.parse(create?.request.body ?? "{}") as { mappings: JsonObject };
    const shard = memoryShard({ mapping: body.mappings, documents: cranfield() });
    shards.set(index, shard);
    return shard;
  }
});

function cranfield(): MemoryDocument[] {
  const lines = readFileSync(documentsFile, "utf8").split("\n");
  const documents: MemoryDocument[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const action = JSON.parse(lines[i] ?? "{}") as { index: { _id: string } };
    documents.push({ id: action.index._id, source: lines[i + 1] ?? "" });
  }
  return documents;
}

function readLines<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
