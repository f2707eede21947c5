/**
 * Placement rules of the product's reference, read from a cluster's answers: allocation filters of the cluster and of
 * an index, awareness of any number of attributes, and limits of copies on a node. A copy that violates a rule is
 * relocated as soon as another node may take it.
 */
import { isJsonObject, matchesGlob, type Json } from "@orrery/stdx";
import type { Plan } from "../plan.ts";
import { newClient, type ShardView, type World } from "../world.ts";
import { at } from "./answers.ts";

export interface Placement {
  readonly nodes: readonly PlacedNode[];
  readonly shards: readonly ShardView[];
  /** Settings by flat name, such as `cluster.routing.allocation.awareness.attributes`. */
  readonly clusterSettings: ReadonlyMap<string, string>;
  readonly indexSettings: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export interface PlacedNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** Reads the placement from a running node; `undefined` if it does not answer. */
export async function placementOf(
  world: World,
  { clusters }: Plan,
  cluster: string,
): Promise<Placement | undefined> {
  const [node = ""] = world.running(cluster);
  const client = newClient("placement");
  const ask = async (uri: string): Promise<Json | undefined> => {
    const answer = await world.request(client, node, { method: "GET", uri, timeoutMs: 30_000 });
    return answer?.status === 200 ? answer.body : undefined;
  };
  const view = await world.view(node);
  const settings = await ask("/_cluster/settings?flat_settings=true");
  const indices = await ask("/_all/_settings?flat_settings=true&expand_wildcards=all");
  const nodes = at(await ask("/_nodes"), "nodes");
  if (view === undefined || settings === undefined || nodes === undefined) return undefined;
  const planned = clusters.find(({ name }) => name === cluster)?.settings ?? {};
  return {
    nodes: membersOf(nodes).flatMap(([, one]) => {
      const roles = at(one, "roles");
      if (!Array.isArray(roles) || !roles.includes("data")) return [];
      return [{ name: String(at(one, "name")), attributes: textsOf(at(one, "attributes")) }];
    }),
    shards: view.shards,
    clusterSettings: new Map([
      ...Object.entries(planned),
      ...textsOf(at(settings, "persistent")),
      ...textsOf(at(settings, "transient")),
    ]),
    indexSettings: new Map(
      membersOf(indices).map(([index, one]) => [index, textsOf(at(one, "settings"))]),
    ),
  };
}

function textsOf(value: Json | undefined): ReadonlyMap<string, string> {
  return new Map(membersOf(value).map(([name, text]) => [name, String(text)]));
}

function membersOf(value: Json | undefined): readonly (readonly [string, Json | undefined])[] {
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Copy that violates a rule although another node could take it, in a sentence. */
export function misplaced(placement: Placement): string | undefined {
  const { nodes, shards } = placement;
  for (const copy of shards) {
    const node = nodes.find(({ name }) => name === copy.node);
    if (node === undefined) continue;
    const broken = brokenRule(placement, copy, node, "stays");
    if (broken === undefined) continue;
    const held = new Set(shards.flatMap((other) => (isOfShard(other, copy) ? other.node : [])));
    const taker = nodes.find(
      (other) => !held.has(other.name) && brokenRule(placement, copy, other, "comes") === undefined,
    );
    if (taker !== undefined)
      return `a copy of ${copy.index}/${copy.shard} stays on ${node.name} although ${broken}, and ${taker.name} could take it`;
  }
  return undefined;
}

type Movement = "stays" | "comes";

function brokenRule(
  placement: Placement,
  copy: ShardView,
  node: PlacedNode,
  movement: Movement,
): string | undefined {
  return (
    filteredOut(placement, copy, node) ??
    unevenAttribute(placement, copy, node, movement) ??
    tooMany(placement, copy, node, movement)
  );
}

/** Allocation filters by name or attribute; filters by address or id are not judged. */
const filterKey =
  /^(?:cluster|index)\.routing\.allocation\.(require|include|exclude)\.(_name|[^_].*)$/;

/**
 * Filter that keeps the copy off the node: every `require` setting must match, at least one `include`, and no `exclude`.
 * A setting matches by any of its values, which may have wildcards.
 */
function filteredOut(placement: Placement, copy: ShardView, node: PlacedNode): string | undefined {
  for (const settings of [placement.clusterSettings, settingsOf(placement, copy)]) {
    const included: boolean[] = [];
    for (const [name, value] of settings) {
      const [, kind, attribute = ""] = filterKey.exec(name) ?? [];
      if (kind === undefined || value === "") continue;
      const own = attribute === "_name" ? node.name : node.attributes.get(attribute);
      const matches = value
        .split(",")
        .some((one) => own !== undefined && matchesGlob(one.trim(), own));
      if (kind === "include") included.push(matches);
      if (kind === "exclude" ? matches : kind === "require" && !matches)
        return `[${name}] is [${value}]`;
    }
    if (included.length > 0 && !included.includes(true)) return "no [include] filter names it";
  }
  return undefined;
}

const AWARENESS = "cluster.routing.allocation.awareness.attributes";

/** Awareness attribute that is unbalanced: no value may have more copies of a shard than an even share, rounded up. */
function unevenAttribute(
  placement: Placement,
  copy: ShardView,
  node: PlacedNode,
  movement: Movement,
): string | undefined {
  const { nodes, shards, clusterSettings } = placement;
  const copies = shards.filter((other) => isOfShard(other, copy));
  // An index that expands to all nodes has a copy on every node, regardless of awareness.
  if (settingsOf(placement, copy).get("index.auto_expand_replicas")?.endsWith("-all") === true)
    return undefined;
  const named = (clusterSettings.get(AWARENESS) ?? "").split(",").map((one) => one.trim());
  for (const attribute of named.filter((one) => one !== "")) {
    const value = node.attributes.get(attribute);
    if (value === undefined) return `it has no attribute [${attribute}]`;
    const forced = clusterSettings.get(
      `cluster.routing.allocation.awareness.force.${attribute}.values`,
    );
    const values = new Set([
      ...nodes.flatMap((other) => other.attributes.get(attribute) ?? []),
      ...(forced ?? "").split(",").flatMap((one) => (one.trim() === "" ? [] : one.trim())),
    ]);
    const others = copies.filter(
      (other) =>
        other !== copy &&
        nodes.find(({ name }) => name === other.node)?.attributes.get(attribute) === value,
    );
    const most = Math.ceil(copies.length / values.size);
    if (others.length + 1 > most)
      return `${others.length + 1} copies ${movement === "stays" ? "are" : "would be"} where [${attribute}] is [${value}], and ${most} may be`;
  }
  return undefined;
}

/**
 * Limit of shards on a node that is exceeded: `index.routing.allocation.total_shards_per_node` or that of the cluster;
 * only positive values count as limits.
 */
function tooMany(
  placement: Placement,
  copy: ShardView,
  node: PlacedNode,
  movement: Movement,
): string | undefined {
  const { shards, clusterSettings } = placement;
  const more = movement === "comes" ? 1 : 0;
  const there = shards.filter((other) => other.node === node.name);
  const ofIndex = there.filter(({ index }) => index === copy.index);
  const limits = [
    { settings: clusterSettings, name: "cluster.routing.allocation.total_shards_per_node", there },
    {
      settings: settingsOf(placement, copy),
      name: "index.routing.allocation.total_shards_per_node",
      there: ofIndex,
    },
  ];
  for (const { settings, name, there: held } of limits) {
    const most = Number(settings.get(name) ?? -1);
    if (most > 0 && held.length + more > most) return `[${name}] is [${most}]`;
  }
  return undefined;
}

function settingsOf(
  { indexSettings }: Placement,
  { index }: ShardView,
): ReadonlyMap<string, string> {
  return indexSettings.get(index) ?? new Map();
}

function isOfShard(other: ShardView, { index, shard }: ShardView): boolean {
  return other.index === index && other.shard === shard;
}
