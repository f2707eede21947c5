/** Selectors: nodes that a fault or step refers to, by name or by their current role. */
import { appendAll, fail, type JsonObject } from "@orrery/stdx";
import { defaultRoles, roleNames } from "./cluster-shape.ts";
import { readName, refuse, type Field } from "./fields.ts";
import { defined, text, type Context, type Defined, type Shape } from "./shape.ts";
import {
  anyNode,
  anyOtherNode,
  electedClusterManager,
  type ClusterView,
  type NodeSelector,
  type World,
} from "./world.ts";

const wholeNames = [
  electedClusterManager,
  anyNode,
  anyOtherNode,
  "all",
  "minority",
  "majority",
] as const;

/** Selectors that are whole names. */
export const selectorNames: readonly string[] = wholeNames;

/** Prefixes of selectors of the form `kind:what`. */
const kinds = ["zone", "role", "primary", "replica"] as const;

/** Separator of several selectors in one text; no node name contains it. */
const SEPARATOR = ",";

/** Parts of a selector: a list of nodes is written as one text. */
export function partsOf(given: NodeSelector): readonly NodeSelector[] {
  return given.split(SEPARATOR);
}

const oneSchema: JsonObject = {
  type: "string",
  examples: [...wholeNames, "node-1", "zone:a", "role:data", "primary:books/0", "replica:books/0"],
};

/** TypeScript type of one selector. */
const oneType = [
  ...wholeNames.map((name) => `"${name}"`),
  ...kinds.map((kind) => `\`${kind}:\${string}\``),
  // Any text is valid, and editors still suggest the names above.
  "(string & {})",
].join(" | ");

/** Shape of one selector, or of several in one text. */
export const selector: Defined<NodeSelector> = defined(
  "node",
  {
    read: (field, _what, context) => {
      const { value, place } = field;
      if (!Array.isArray(value) || value.length === 0) return readOne(field, context);
      const several = (value as readonly Field[]).map((one) => readOne(one, context));
      if (new Set(several).size < several.length) throw refuse(place, "a node is named twice");
      return several.join(SEPARATOR);
    },
    write: (value) => (value.includes(SEPARATOR) ? value.split(SEPARATOR) : value),
    schema: { anyOf: [oneSchema, { type: "array", items: oneSchema, minItems: 1 }] },
    says: "node",
  },
  `OneOrMore<${oneType}>`,
);

function readOne(field: Field, context: Context): NodeSelector {
  const { value } = field;
  if (typeof value !== "string") return readName(field, "node", namesOf(context));
  const { body, cluster } = split(value);
  if (cluster !== undefined && !context.clusters.includes(cluster)) {
    readName({ ...field, value: cluster }, "cluster", context.clusters);
  }
  const kind = kinds.find((one) => body.startsWith(`${one}:`));
  if (kind === undefined) readName({ ...field, value: body }, "node", namesOf(context));
  else checkWhat(kind, { ...field, value: body.slice(kind.length + 1) }, context);
  return value;
}

/** Checks the part after the colon: `b` of `zone:b`, `data` of `role:data`, `books/0` of `primary:books/0`. */
function checkWhat(kind: (typeof kinds)[number], field: Field, context: Context): void {
  const { zones, roles } = context;
  if (kind === "role") {
    const role = readName(field, "role", roleNames);
    if (roles?.has(role) === false)
      throw refuse(field.place, `no node of the plan has the role [${role}]`);
  } else if (kind === "zone") {
    if (zones?.size === 0) throw refuse(field.place, "no node of the plan is in a zone");
    if (zones !== undefined) readName(field, "zone", [...zones]);
  } else checkShard(kind, field, context);
}

/** Checks the shard number against the plan's index; an unknown index may be created during the run. */
function checkShard(kind: string, field: Field, { indices }: Context): void {
  const what = String(field.value);
  if (!/^[^/]+(\/\d+)?$/.test(what))
    throw refuse(
      field.place,
      `[${kind}:${what}] names no shard: expected index and number, such as [${kind}:books/0]`,
    );
  const [index = "", shard = "0"] = what.split("/");
  if (indices === undefined) return;
  const shards = indices.known.get(index);
  if (shards === undefined && indices.areAll)
    readName({ ...field, value: index }, "index", [...indices.known.keys()]);
  if (shards !== undefined && Number(shard) >= shards)
    throw refuse(
      field.place,
      `the index [${index}] has no shard [${shard}]: it has ${shards}, counted from 0`,
    );
}

/** Shape of a cluster's name. */
export const clusterName: Shape<string> = {
  read: (field, _what, { clusters }) => readName(field, "cluster", clusters),
  write: (name) => name,
  schema: text.schema,
  says: "cluster",
};

function namesOf({ nodes }: Context): readonly string[] {
  return [...wholeNames, ...nodes.keys()];
}

function split(given: NodeSelector): { readonly body: string; readonly cluster?: string } {
  const at = given.lastIndexOf("@");
  return at < 0 ? { body: given } : { body: given.slice(0, at), cluster: given.slice(at + 1) };
}

/** Access to a world that the selection of nodes needs. */
export interface Choice {
  readonly world: Pick<World, "nodes" | "running" | "view" | "clusterOf">;
  /** Draws one or several of the names. */
  pick(from: readonly string[]): string;
  shuffle(from: readonly string[]): readonly string[];
  readonly firstCluster: string;
  /** True for a node that does not exist now, but existed or is added later. */
  isExpected(node: string): boolean;
  zoneOf(node: string): string | undefined;
  rolesOf(node: string): readonly string[] | undefined;
}

/** Nodes that match the selector now; empty if none does. */
export async function selectNodes(given: NodeSelector, choice: Choice): Promise<readonly string[]> {
  const selected: string[] = [];
  for (const one of partsOf(given)) appendAll(selected, await selectOne(one, choice));
  return [...new Set(selected)];
}

async function selectOne(given: NodeSelector, choice: Choice): Promise<readonly string[]> {
  const { body, cluster = choice.firstCluster } = split(given);
  const { world } = choice;
  if (world.nodes().includes(body)) return [body];
  if (choice.isExpected(body)) return [];
  const up = world.running(cluster);
  const all = world.nodes(cluster);
  switch (body) {
    case "all":
      return all;
    case electedClusterManager:
      return elected(world, cluster);
    case anyNode:
      return up.length === 0 ? [] : [choice.pick(up)];
    case anyOtherNode: {
      const managers = await elected(world, cluster);
      const others = up.filter((node) => !managers.includes(node));
      return others.length === 0 ? [] : [choice.pick(others)];
    }
    case "minority":
      return choice.shuffle(all).slice(0, Math.floor((all.length - 1) / 2));
    case "majority":
      return choice.shuffle(all).slice(0, Math.floor(all.length / 2) + 1);
    default:
      return byKind(body, cluster, choice);
  }
}

async function byKind(body: string, cluster: string, choice: Choice): Promise<readonly string[]> {
  const colon = body.indexOf(":");
  const [kind, what] = [body.slice(0, colon), body.slice(colon + 1)];
  const all = choice.world.nodes(cluster);
  if (kind === "zone") return all.filter((node) => choice.zoneOf(node) === what);
  if (kind === "role")
    return all.filter((node) => (choice.rolesOf(node) ?? defaultRoles).includes(what));
  if (kind !== "primary" && kind !== "replica")
    return fail({
      type: "illegal_argument_exception",
      reason: `no node is called [${body}]`,
      status: 400,
    });
  const [index = "", shard = "0"] = what.split("/");
  const copies = (await bestView(choice.world, cluster))?.shards.filter(
    (copy) =>
      copy.index === index &&
      copy.shard === Number(shard) &&
      copy.isPrimary === (kind === "primary"),
  );
  const nodes = (copies ?? []).flatMap(({ node }) => node ?? []);
  return nodes.length === 0 ? [] : [choice.pick(nodes)];
}

/**
 * Node that most nodes know as elected cluster manager; among equals, of the highest term, as an isolated node may know
 * an outdated one.
 */
async function elected(world: Choice["world"], cluster: string): Promise<readonly string[]> {
  const named = new Map<string, { readonly votes: number; readonly term: number }>();
  for (const node of world.running(cluster)) {
    const view = await world.view(node);
    if (view?.clusterManager === undefined) continue;
    const { votes, term } = named.get(view.clusterManager) ?? { votes: 0, term: 0 };
    named.set(view.clusterManager, { votes: votes + 1, term: Math.max(term, view.term) });
  }
  const [best] = [...named].toSorted(([, a], [, b]) => b.votes - a.votes || b.term - a.term);
  return best === undefined ? [] : [best[0]];
}

/** Newest state of the nodes that know a cluster manager. */
export async function bestView(
  world: Pick<World, "running" | "view">,
  cluster: string,
): Promise<ClusterView | undefined> {
  let best: ClusterView | undefined;
  for (const node of world.running(cluster)) {
    const view = await world.view(node);
    if (view?.clusterManager !== undefined && view.version > (best?.version ?? -1)) best = view;
  }
  return best;
}
