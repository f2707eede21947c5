/** Shape of clusters and their nodes in a file: a number of nodes and zones, or a list of groups. */
import { coreProduct, settingProblem, settingsProblem } from "@orrery/node";
import type { Json } from "@orrery/stdx";
import { checkKeys, refuse, refuseProblem, type Field, type Fields } from "./fields.ts";
import type { ClusterPlan, NodePlan } from "./plan.ts";
import {
  fieldsOf,
  integer,
  keysOf,
  listOf,
  mapOf,
  may,
  oneOf,
  or,
  readKeys,
  scalar,
  schemaOf,
  text,
  writeKeys,
  type Context,
  type Keys,
  type Shape,
} from "./shape.ts";

export const roleNames: readonly string[] = [
  "cluster_manager",
  "data",
  "ingest",
  "remote_cluster_client",
  "search",
  "warm",
];
/** Roles of a node without `roles`. */
export const defaultRoles: readonly string[] = roleNames.slice(0, 4);
export const roles: Shape<readonly string[]> = listOf(oneOf("role", () => roleNames));

/** Node settings; each must be known to a node, with a valid value. */
const nodeSettings: Shape<Readonly<Record<string, string>>> = {
  ...mapOf(scalar),
  read: (field, what, context) => {
    const { product = coreProduct } = context;
    const settings = mapOf(scalar).read(field, what, context);
    for (const [name, { place }] of fieldsOf(field, what).values) {
      refuseProblem(place, settingProblem(product, name, settings));
    }
    return settings;
  },
};

/** Group of nodes with equal properties. */
interface Group {
  readonly name?: string;
  readonly count: number;
  readonly zone?: string;
  readonly roles?: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

const MOST_NODES = 100;

export const groupKeys: Keys<Group> = {
  name: may(text, "name of this node, if it is a single one"),
  count: or(integer(1, MOST_NODES), 1, "number of equal nodes"),
  zone: may(text, "node.attr.zone"),
  roles: may(roles, "node.roles; default: those of a node without the setting"),
  settings: or(nodeSettings, {}, "node settings of these nodes"),
};

interface ClusterKeys {
  readonly zones: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

export const clusterKeys: Keys<ClusterKeys> = {
  zones: or(listOf(scalar), [], "node.attr.zone of the nodes, in turn"),
  settings: or(nodeSettings, {}, "node settings of all its nodes"),
};

const nodeCount = integer(1, MOST_NODES);

export const defaultCluster: ClusterPlan = cluster("orrery", [], { only: true, count: 3 });

export const clusters: Shape<readonly ClusterPlan[]> = {
  read: (field, _what, context) => {
    const all = fieldsOf(field, "clusters").values;
    if (all.size === 0) throw refuse(field.place, "[clusters] names no cluster");
    const read = [...all].map(([name, one]) =>
      readCluster(one, { name, only: all.size === 1 }, context),
    );
    const names = read.flatMap(({ nodes }) => nodes.map((node) => node.name));
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) throw refuse(field.place, `two nodes are called [${twice}]`);
    if (names.length > MOST_NODES)
      throw refuse(field.place, `a plan has at most ${MOST_NODES} nodes, not ${names.length}`);
    const headless = read.find(({ nodes }) => !nodes.some(isEligible));
    if (headless !== undefined)
      throw refuse(
        all.get(headless.name)?.place ?? field.place,
        `no node of the cluster [${headless.name}] has the role [cluster_manager]: it cannot form`,
      );
    return read;
  },
  write: (plans) =>
    Object.fromEntries(plans.map((plan) => [plan.name, writeCluster(plan, plans.length === 1)])),
  schema: {
    type: "object",
    minProperties: 1,
    additionalProperties: schemaOf(clusterKeys, {
      nodes: {
        description: "how many nodes, or groups of nodes; 3 when it is not said",
        anyOf: [nodeCount.schema, { type: "array", items: schemaOf(groupKeys) }],
      },
    }),
  },
  says: "clusters by name",
};

/**
 * True if the node may be elected: by `node.roles` of its settings, else by the roles of its group, else by default.
 */
function isEligible({ roles: given, settings }: NodePlan): boolean {
  const said = settings["node.roles"] ?? given?.join(",");
  return said === undefined || /\bcluster_manager\b/.test(said);
}

function readCluster(
  field: Field,
  { name, only }: { readonly name: string; readonly only: boolean },
  context: Context,
): ClusterPlan {
  const fields = fieldsOf(field, name);
  checkKeys(fields, ["nodes", ...keysOf(clusterKeys)]);
  const { zones, settings } = readKeys(fields, clusterKeys, context);
  const groups = readGroups(fields, context);
  const made = cluster(name, groups.list, { only, count: groups.count, zones });
  for (const { settings: own } of made.nodes) {
    const all = { ...settings, ...own };
    refuseProblem(fields.place, settingsProblem(context.product ?? coreProduct, all));
  }
  return { ...made, settings };
}

function readGroups(
  fields: Fields,
  context: Context,
): { readonly list: readonly Group[]; readonly count: number } {
  const field = fields.values.get("nodes");
  if (field === undefined) return { list: [], count: 3 };
  if (!Array.isArray(field.value))
    return { list: [], count: nodeCount.read(field, "nodes", context) };
  const list = (field.value as readonly Field[]).map((one): Group => {
    const group = fieldsOf(one, "nodes");
    checkKeys(group, keysOf(groupKeys));
    const read = readKeys(group, groupKeys, context);
    if (read.name !== undefined && read.count > 1)
      throw refuse(one.place, `[${read.name}] is the name of one node, not of ${read.count}`);
    return read;
  });
  if (list.length === 0) throw refuse(field.place, "[nodes] is empty");
  return { list, count: 0 };
}

interface Naming {
  readonly only: boolean;
  /** Number of nodes, if there are no groups. */
  readonly count: number;
  readonly zones?: readonly string[];
}

function cluster(
  name: string,
  groups: readonly Group[],
  { only, count, zones = [] }: Naming,
): ClusterPlan {
  const all: readonly Group[] =
    groups.length > 0 ? groups : [{ count, settings: {} } satisfies Group];
  const each = all.flatMap((group) => Array.from({ length: group.count }, () => group));
  const nodes = each.map((group, i): NodePlan => {
    const zone = group.zone ?? zones[i % Math.max(1, zones.length)];
    return {
      name: group.name ?? nodeName(name, i, only),
      ...(zone === undefined ? {} : { zone }),
      ...(group.roles === undefined ? {} : { roles: group.roles }),
      settings: group.settings,
    };
  });
  return { name, nodes, settings: {} };
}

function nodeName(clusterName: string, i: number, only: boolean): string {
  return `${only ? "node" : clusterName}-${i + 1}`;
}

function writeCluster({ name, nodes, settings }: ClusterPlan, only: boolean): Json {
  const zones = [...new Set(nodes.flatMap(({ zone }) => zone ?? []))];
  const plain = cluster(name, [], { only, count: nodes.length, zones });
  const isPlain = JSON.stringify(plain.nodes) === JSON.stringify(nodes);
  const groups = nodes.map((node): Json => writeKeys({ count: 1, ...node }, groupKeys));
  return {
    nodes: isPlain ? nodes.length : groups,
    ...writeKeys({ zones: isPlain ? zones : [], settings }, clusterKeys),
  };
}
