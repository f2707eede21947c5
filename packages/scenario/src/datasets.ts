/** Initial documents of an index: generated from the seed, or the plan's own. */
import { appendAll, isJsonObject, type Json, type Random } from "@orrery/stdx";
import type { FileDocument } from "./data-file.ts";
import { contentOf, type History, type Operation } from "./history.ts";
import type { DataPlan, IndexPlan } from "./plan.ts";
import { newClient, type ClientAnswer, type World } from "./world.ts";

export type DatasetName = "numbers" | "words" | "events";

type Make = (random: Random, number: number) => { readonly [field: string]: Json };

const vocabulary = [
  ...["river", "stone", "lamp", "cloud", "paper", "engine", "garden", "winter", "signal"],
  ...["copper", "bridge", "letter", "harbour", "mirror", "planet", "forest", "clock", "salt"],
];
const levels = ["info", "info", "info", "warn", "error"];

/** Generators of documents by name; each yields the same documents for the same seed. */
export const datasets: { readonly [Name in DatasetName]: Make } = {
  numbers: (random, number) => ({
    value: number,
    square: number * number,
    any: random.int(0, 999),
  }),
  words: (random, number) => ({
    value: number,
    title: sentence(random, 4),
    text: sentence(random, random.int(20, 60)),
  }),
  events: (random, number) => ({
    value: number,
    at: 1_767_225_600_000 + number * 1000,
    level: random.pick(levels),
    service: `service-${random.int(1, 9)}`,
    message: sentence(random, 8),
  }),
};

export const datasetNames: readonly DatasetName[] = Object.keys(datasets) as DatasetName[];

function sentence(random: Random, words: number): string {
  return Array.from({ length: words }, () => random.pick(vocabulary)).join(" ");
}

/** Documents in one bulk request. */
const BATCH = 500;

/** Indexes the documents; throws if one is rejected. */
export async function load(world: World, index: IndexPlan, history: History): Promise<void> {
  const { data } = index;
  if (data === undefined) return;
  const client = newClient("loader");
  const node = world.nodes(index.cluster)[0] ?? "";
  const random = world.random(`dataset-${index.name}`);
  const count = "file" in data ? data.contents.length : data.documents;
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, i) =>
      documentAt(data, from + i, random),
    );
    const lines = batch.flatMap(({ id, source }) => [
      JSON.stringify({ index: { _id: id } }),
      source,
    ]);
    const invokedMs = world.nowMs();
    const request = client.next;
    const answer = await world.request(client, node, {
      method: "POST",
      uri: `/${index.name}/_bulk?refresh=true`,
      body: `${lines.join("\n")}\n`,
      timeoutMs: 60_000,
    });
    const items = itemsOf(index.name, answer);
    const common = { client: client.name, request, node, invokedMs, returnedMs: world.nowMs() };
    const written = batch.map(({ id, source }, i): Operation => ({
      kind: "index",
      ...common,
      index: index.name,
      document: id,
      outcome: "ok",
      status: 201,
      wrote: contentOf(JSON.parse(source) as Json) ?? null,
      ...positionOf(items[i]),
    }));
    appendAll(history.operations, written);
  }
}

function documentAt(data: DataPlan, at: number, random: Random): FileDocument {
  if ("file" in data) return data.contents[at] ?? { id: "", source: "{}" };
  const { dataset } = data;
  const source = JSON.stringify(datasets[dataset](random, at + 1));
  return { id: `${dataset}-${at + 1}`, source };
}

function itemsOf(index: string, answer: ClientAnswer | undefined): readonly Json[] {
  const body = isJsonObject(answer?.body) ? answer.body : {};
  const { items } = body;
  if (answer?.status === 200 && body["errors"] === false && Array.isArray(items))
    return items as readonly Json[];
  const refused = Array.isArray(items) ? (items as readonly Json[]).find(isRefused) : undefined;
  const why = refused ?? answer?.body ?? "no answer";
  throw new Error(`cannot load [${index}]: ${JSON.stringify(why)}`);
}

function isRefused(item: Json): boolean {
  return isJsonObject(item) && isJsonObject(item["index"]) && "error" in item["index"];
}

function positionOf(item: Json | undefined): Pick<Operation, "seqNo" | "primaryTerm" | "version"> {
  const result = isJsonObject(item) ? item["index"] : undefined;
  if (!isJsonObject(result)) return {};
  const { _seq_no: seqNo, _primary_term: primaryTerm, _version: version } = result;
  return { seqNo: Number(seqNo), primaryTerm: Number(primaryTerm), version: Number(version) };
}
