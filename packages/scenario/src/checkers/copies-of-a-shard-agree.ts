/**
 * INV-DATA-2: once the cluster has healed, every copy of a shard holds the same documents, versions and sequence
 * numbers. All open indices are judged (open-indices.ts). An index with a block that prevents a refresh shows its last
 * refresh, which differs between copies: its copies are not compared.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import type { Plan } from "../plan.ts";
import { newClient, type Client, type World } from "../world.ts";
import { concerning, type Checker, type Finding } from "./checker.ts";
import { untilCheckpointsAgree } from "./checkpoints-agree.ts";
import { isBuilt, nothingToCompare, openIndices } from "./open-indices.ts";
import { documentsOf, type Where } from "./shard-documents.ts";

export const copiesOfAShardAgree: Checker = {
  name: "copies-of-a-shard-agree",
  invariant: "INV-DATA-2",
  says: "Once the cluster has healed, every copy of a shard holds the same documents, versions and sequence numbers.",
  excusedBy: ["rot"],
  complaint: nothingToCompare,
  finish: async (world, plan) => {
    const finding = await difference(world, plan);
    if (finding === undefined) return undefined;
    // Operations in flight would differ between copies.
    await untilCheckpointsAgree(world, plan);
    return difference(world, plan);
  },
};

async function difference(world: World, plan: Plan): Promise<Finding> {
  const client = newClient("checker");
  for (const { name: index, node, view } of await openIndices(world, plan)) {
    const refreshed = await world.request(client, node, {
      method: "POST",
      uri: `/${encodeURIComponent(index)}/_refresh`,
      timeoutMs: 30_000,
    });
    if (refreshed?.status === BLOCKED) continue;
    const copies = view.shards.filter((copy) => copy.index === index);
    if (copies.length === 0) return `there is no index [${index}]`;
    for (const shard of new Set(copies.map((copy) => copy.shard))) {
      const built = copies.filter(({ state }) => isBuilt(state));
      const holders = built.flatMap((copy) => (copy.shard === shard ? (copy.node ?? []) : []));
      const finding = await compare(world, client, { index, shard }, holders);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

const BLOCKED = 403;

async function compare(
  world: World,
  client: Client,
  { index, shard: number }: Omit<Where, "node">,
  holders: readonly string[],
): Promise<Finding> {
  const shard = `${index}/${number}`;
  let first: { readonly node: string; readonly rows: readonly string[] } | undefined;
  for (const node of holders) {
    // Shard routing weights of zones exclude a preference for a copy on another node, so the node itself is asked.
    const where = { node, index, shard: number };
    const content = await documentsOf(world, client, where, "_only_local");
    if (content.kind === "failed")
      return concerning(`the copy of ${shard} on [${node}]: ${content.why}`, where);
    const rows = content.hits.map(line);
    first ??= { node, rows };
    const found = differ(shard, first.rows, rows);
    if (found === undefined) continue;
    const { says, document } = found;
    const about = { index, shard: number, ...(document === undefined ? {} : { document }) };
    return concerning(says, [
      { ...about, node: first.node },
      { ...about, node },
    ]);
  }
  return undefined;
}

function line(hit: Json): string {
  if (!isJsonObject(hit)) return JSON.stringify(hit);
  return JSON.stringify([
    hit["_id"],
    hit["_seq_no"],
    hit["_primary_term"],
    hit["_version"],
    hit["_source"],
  ]);
}

interface Difference {
  readonly says: string;
  /** Id of a document that differs. */
  readonly document: string | undefined;
}

function differ(
  shard: string,
  left: readonly string[],
  right: readonly string[],
): Difference | undefined {
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  const onlyLeft = left.find((row) => !inRight.has(row));
  const onlyRight = right.find((row) => !inLeft.has(row));
  if (onlyLeft === undefined && onlyRight === undefined && left.length === right.length)
    return undefined;
  const says = `copies of ${shard} differ: ${left.length} and ${right.length} documents, such as ${onlyLeft ?? "-"} and ${onlyRight ?? "-"}`;
  return { says, document: idOf(onlyLeft ?? onlyRight) };
}

/** Id of a document in its line. */
function idOf(row: string | undefined): string | undefined {
  const parts: unknown = row === undefined ? undefined : JSON.parse(row);
  const id: unknown = Array.isArray(parts) ? parts[0] : undefined;
  return typeof id === "string" ? id : undefined;
}
