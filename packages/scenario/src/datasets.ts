/** Documents that an index holds before clients come: made from the seed, the same for the same seed. */
import { isJsonObject, type Json, type Random } from "@orrery/stdx";
import type { History, Operation } from "./history.ts";
import type { IndexPlan } from "./plan.ts";
import { newClient, type World } from "./world.ts";

export type DatasetName = "numbers" | "words" | "events";

type Make = (random: Random, number: number) => { readonly [field: string]: Json };

const vocabulary = [
  ...["river", "stone", "lamp", "cloud", "paper", "engine", "garden", "winter", "signal"],
  ...["copper", "bridge", "letter", "harbour", "mirror", "planet", "forest", "clock", "salt"],
];
const levels = ["info", "info", "info", "warn", "error"];

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

const BATCH = 500;

/** Throws when a document is not taken. */
export async function load(world: World, index: IndexPlan, history: History): Promise<void> {
  if (index.data === undefined) return;
  const { dataset, documents } = index.data;
  const random = world.random(`dataset-${index.name}`);
  const client = newClient("loader");
  const node = world.nodes(index.cluster)[0] ?? "";
  for (let from = 0; from < documents; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, documents - from) }, (_, i) => ({
      document: `${dataset}-${from + i + 1}`,
      source: datasets[dataset](random, from + i + 1),
    }));
    const lines = batch.flatMap(({ document, source }) => [
      JSON.stringify({ index: { _id: document } }),
      JSON.stringify(source),
    ]);
    const invokedMs = world.nowMs();
    const request = client.next;
    const answer = await world.request(client, node, {
      method: "POST",
      uri: `/${index.name}/_bulk?refresh=true`,
      body: `${lines.join("\n")}\n`,
      timeoutMs: 60_000,
    });
    const body = isJsonObject(answer?.body) ? answer.body : {};
    if (answer?.status !== 200 || body["errors"] !== false)
      throw new Error(
        `cannot load [${index.name}]: ${JSON.stringify(answer?.body ?? "no answer")}`,
      );
    const items = Array.isArray(body["items"]) ? (body["items"] as readonly Json[]) : [];
    const common = { client: client.name, request, node, invokedMs, returnedMs: world.nowMs() };
    history.operations.push(
      ...batch.map(({ document, source }, i): Operation => ({
        kind: "index",
        ...common,
        index: index.name,
        document,
        outcome: "ok",
        status: 201,
        wrote: source["value"] ?? null,
        ...positionOf(items[i]),
      })),
    );
  }
}

function positionOf(item: Json | undefined): Pick<Operation, "seqNo" | "primaryTerm" | "version"> {
  const result = isJsonObject(item) ? item["index"] : undefined;
  if (!isJsonObject(result)) return {};
  const { _seq_no: seqNo, _primary_term: primaryTerm, _version: version } = result;
  return { seqNo: Number(seqNo), primaryTerm: Number(primaryTerm), version: Number(version) };
}
