/** Clients that write batches of documents, each with an id of its own, through any running node in turn. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { newClient, type ClientAnswer, type World } from "../world.ts";
import type { History, RunWorkload } from "./workload.ts";

export interface Bulk {
  readonly kind: "bulk";
  readonly index: string;
  readonly clients: number;
  /** In one request. */
  readonly documents: number;
  /** How long a client waits between two requests. */
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** How long clients write; until the run is over when it is not said. */
  readonly forMs: number | undefined;
}

export const bulk: RunWorkload<Bulk> = async (workload, world, history, isOver) => {
  let isEnough = false;
  if (workload.forMs !== undefined)
    void world.sleep(workload.forMs).then(() => {
      isEnough = true;
    });
  const clients = Array.from({ length: workload.clients }, (_, i) =>
    oneClient(workload, world, history, () => isEnough || isOver(), i),
  );
  await Promise.all(clients);
};

async function oneClient(
  workload: Bulk,
  world: World,
  history: History,
  isOver: () => boolean,
  number: number,
): Promise<void> {
  const client = newClient(`client-${number + 1}`);
  const random = world.simulation.random(client.name);
  for (let batch = 0; !isOver(); batch += 1) {
    const node = random.pick(world.nodes);
    const ids = Array.from({ length: workload.documents }, (_, i) => ({
      id: `${number}-${batch}-${i}`,
      value: random.int(0, 1_000_000),
    }));
    const lines = ids.flatMap(({ id, value }) => [
      JSON.stringify({ index: { _id: id } }),
      JSON.stringify({ client: client.name, value, text: `batch ${batch} of ${client.name}` }),
    ]);
    const uri = `/${workload.index}/_bulk`;
    const answer = await world.request(client, node, {
      method: "POST",
      uri,
      body: `${lines.join("\n")}\n`,
      timeoutMs: workload.timeoutMs,
    });
    remember(workload, history, ids, answer);
    await world.sleep(workload.everyMs);
  }
}

function remember(
  workload: Bulk,
  history: History,
  sent: readonly { readonly id: string; readonly value: number }[],
  answer: ClientAnswer | undefined,
): void {
  history.requests += 1;
  if (answer === undefined) {
    history.unknown += 1;
    return;
  }
  const items = isJsonObject(answer.body) ? answer.body["items"] : undefined;
  if (answer.status !== 200 || !Array.isArray(items)) {
    history.failures += 1;
    return;
  }
  sent.forEach(({ id, value }, i) => {
    if (statusOf(items[i] as Json) < 300)
      history.acknowledged.set(`${workload.index}/${id}`, { index: workload.index, id, value });
    else history.failures += 1;
  });
}

function statusOf(item: Json | undefined): number {
  const result = isJsonObject(item) ? Object.values(item)[0] : undefined;
  const status = isJsonObject(result) ? result["status"] : undefined;
  return typeof status === "number" ? status : 500;
}
