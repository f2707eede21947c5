/** `cat.nodes`: nodes with their load. */
import { lookup } from "@orrery/stdx";
import { resolveNodes, type ClusterState, type DiscoveryNode } from "@orrery/cluster-state";
import type { NodeInfoFacts, NodeStatsFacts } from "@orrery/node";
import { column, sizeCell, timeCell } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { statsColumns } from "../../cat/stats-columns.ts";
import { portOf, rolesOf } from "../../nodes/identity.ts";
import { loadAverages, percentOf, processNumber } from "../../nodes/stats-process.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout, onDemand } from "../../parameters.ts";
import { buildHash, buildType, version } from "../../product.ts";
import { readState } from "../../state-reading.ts";
import { sectionsOf } from "../../stats/metrics.ts";
import { sumSections } from "../../stats/sum.ts";

interface Row {
  readonly node: DiscoveryNode;
  readonly isManager: boolean;
  readonly isFullId: boolean;
  readonly info: NodeInfoFacts | undefined;
  readonly stats: NodeStatsFacts | undefined;
  readonly counters: ReturnType<typeof sumSections> | undefined;
}

const query = { ...managerTimeout, local: onDemand(flag(false)), full_id: flag(false) };

const right = { isRight: true };
const hidden = { isRight: true, isDefault: false };

/** Cell with a number of the process; empty when the node did not answer. */
function processCell(name: string): (row: Row) => number | undefined {
  return ({ stats }) => (stats === undefined ? undefined : processNumber(stats, name));
}

function loadCell(index: 0 | 1 | 2): (row: Row) => string | undefined {
  return ({ stats }) => (stats === undefined ? undefined : loadAverages(stats)[index].toFixed(2));
}

function percentCell(
  part: (stats: NodeStatsFacts) => number,
  whole: string,
): (row: Row) => number | undefined {
  return ({ stats }) =>
    stats === undefined ? undefined : percentOf(part(stats), processNumber(stats, whole));
}

function usedMemory(stats: NodeStatsFacts): number {
  return (
    processNumber(stats, "systemMemoryTotalBytes") - processNumber(stats, "systemMemoryFreeBytes")
  );
}

const LETTERS: Readonly<Record<string, string>> = {
  cluster_manager: "m",
  data: "d",
  ingest: "i",
  remote_cluster_client: "r",
  search: "s",
  warm: "w",
};

function roleLetters(node: DiscoveryNode): string {
  const letters = rolesOf(node).map((role) => lookup(LETTERS, role) ?? role.charAt(0));
  return letters.length === 0 ? "-" : letters.toSorted().join("");
}

export const catNodes: Operation = defineCat<typeof query, Row>({
  group: "cat.nodes",
  permission: "cluster:monitor/nodes/stats",
  routes: ["GET /_cat/nodes"],
  query,
  deviations: [],
  columns: [
    column("id", ({ node, isFullId }) => (isFullId ? node.id : node.id.slice(0, 4)), {
      aliases: "id,nodeId",
      description: "unique node id",
      isDefault: false,
    }),
    column("pid", ({ info }) => info?.process.pid, {
      aliases: "p",
      description: "process id",
      isDefault: false,
    }),
    column("ip", ({ node }) => node.hostAddress, { aliases: "i", description: "ip address" }),
    column("port", ({ node }) => portOf(node.transportAddress), {
      aliases: "po",
      description: "bound transport port",
      isDefault: false,
    }),
    column("http_address", ({ node }) => node.httpAddress?.replace(/^.*\//, "") ?? "-", {
      aliases: "http",
      description: "bound http address",
      isDefault: false,
    }),
    column("version", () => version, { aliases: "v", description: "os version", isDefault: false }),
    column("type", () => buildType, {
      aliases: "t",
      description: "os distribution type",
      isDefault: false,
    }),
    column("build", () => buildHash, {
      aliases: "b",
      description: "os build hash",
      isDefault: false,
    }),
    column("jdk", ({ info }) => info?.process.runtime.version, {
      aliases: "j",
      description: "jdk version",
      isDefault: false,
    }),
    column("disk.total", ({ stats }) => sizeCell(stats?.disk?.totalBytes), {
      ...hidden,
      aliases: "dt,diskTotal",
      description: "total disk space",
    }),
    column("disk.used", ({ stats }) => sizeCell(usedDisk(stats)), {
      ...hidden,
      aliases: "du,diskUsed",
      description: "used disk space",
    }),
    column("disk.avail", ({ stats }) => sizeCell(stats?.disk?.availableBytes), {
      ...hidden,
      aliases: "d,da,disk,diskAvail",
      description: "available disk space",
    }),
    column("disk.used_percent", ({ stats }) => usedDiskPercent(stats), {
      ...hidden,
      aliases: "dup,diskUsedPercent",
      description: "used disk space percentage",
    }),
    column("heap.current", (row) => sizeCell(processCell("heapUsedBytes")(row)), {
      ...hidden,
      aliases: "hc,heapCurrent",
      description: "used heap",
    }),
    column(
      "heap.percent",
      percentCell((stats) => processNumber(stats, "heapUsedBytes"), "heapMaxBytes"),
      {
        ...right,
        aliases: "hp,heapPercent",
        description: "used heap ratio",
      },
    ),
    column("heap.max", (row) => sizeCell(processCell("heapMaxBytes")(row)), {
      ...hidden,
      aliases: "hm,heapMax",
      description: "max configured heap",
    }),
    column(
      "ram.current",
      ({ stats }) => sizeCell(stats === undefined ? undefined : usedMemory(stats)),
      {
        ...hidden,
        aliases: "rc,ramCurrent",
        description: "used machine memory",
      },
    ),
    column("ram.percent", percentCell(usedMemory, "systemMemoryTotalBytes"), {
      ...right,
      aliases: "rp,ramPercent",
      description: "used machine memory ratio",
    }),
    column("ram.max", (row) => sizeCell(processCell("systemMemoryTotalBytes")(row)), {
      ...hidden,
      aliases: "rm,ramMax",
      description: "total machine memory",
    }),
    column("file_desc.current", processCell("openFileDescriptors"), {
      ...hidden,
      aliases: "fdc,fileDescriptorCurrent",
      description: "used file descriptors",
    }),
    column(
      "file_desc.percent",
      percentCell((stats) => processNumber(stats, "openFileDescriptors"), "maxFileDescriptors"),
      {
        ...hidden,
        aliases: "fdp,fileDescriptorPercent",
        description: "used file descriptor ratio",
      },
    ),
    column("file_desc.max", processCell("maxFileDescriptors"), {
      ...hidden,
      aliases: "fdm,fileDescriptorMax",
      description: "max file descriptors",
    }),
    column("cpu", processCell("systemCpuPercent"), {
      ...right,
      aliases: "cpu",
      description: "recent cpu usage",
    }),
    column("load_1m", loadCell(0), { ...right, aliases: "l", description: "1m load avg" }),
    column("load_5m", loadCell(1), { ...right, aliases: "l", description: "5m load avg" }),
    column("load_15m", loadCell(2), { ...right, aliases: "l", description: "15m load avg" }),
    column("uptime", (row) => timeCell(processCell("uptimeMs")(row)), {
      ...hidden,
      aliases: "u",
      description: "node uptime",
    }),
    column("node.role", ({ node }) => roleLetters(node), {
      aliases: "r,role,nodeRole",
      description: "m:master eligible node, d:data node, i:ingest node, -:coordinating node only",
    }),
    column("node.roles", ({ node }) => (node.roles.length === 0 ? "-" : rolesOf(node).join(",")), {
      aliases: "rs,all roles",
      description: " -:coordinating node only",
    }),
    column("cluster_manager", ({ isManager }) => (isManager ? "*" : "-"), {
      aliases: "cm,m,master",
      description: "*:current cluster manager",
    }),
    column("name", ({ node }) => node.name, { aliases: "n", description: "node name" }),
    ...statsColumns<Row>({
      names: [
        "completion.",
        "fielddata.",
        "query_cache.",
        "request_cache.",
        "flush.",
        "get.",
        "indexing.",
        "merges.",
        "refresh.",
      ],
      stats: ({ counters }) => counters,
    }),
    ...["compilations", "cache_evictions", "compilation_limit_triggered"].map((name) =>
      scriptColumn(name),
    ),
    ...statsColumns<Row>({
      names: [
        "search.fetch_current",
        "search.fetch_time",
        "search.fetch_total",
        "search.open_contexts",
        "search.query_current",
        "search.query_time",
        "search.query_total",
        "search.query_failed",
        "search.concurrent_query_current",
        "search.concurrent_query_time",
        "search.concurrent_query_total",
        "search.concurrent_avg_slice_count",
        "search.scroll_current",
        "search.scroll_time",
        "search.scroll_total",
        "search.point_in_time_current",
        "search.point_in_time_time",
        "search.point_in_time_total",
        "search.startree_query_current",
        "search.startree_query_time",
        "search.startree_query_total",
        "search.startree_query_failed",
        "segments.",
        "suggest.",
      ],
      overrides: {
        "search.query_failed": { description: "total failed query phase ops" },
        "search.startree_query_failed": { description: "star tree failed query ops" },
      },
      stats: ({ counters }) => counters,
    }),
  ],

  async rows(call, cluster) {
    const given = call.query;
    if (call.request.has("local")) {
      call.request.warn(
        "Deprecated parameter [local] used. This parameter does not cause this API to act locally, and should not be used. It will be unsupported in version 8.0.",
      );
    }
    const state = await readState(cluster, { ...given, local: false });
    return rowsOf(state, given.full_id, cluster);
  },
});

function scriptColumn(name: string): ReturnType<typeof column<Row>> {
  const words: Readonly<Record<string, readonly [aliases: string, description: string]>> = {
    compilations: ["scrcc,scriptCompilations", "script compilations"],
    cache_evictions: ["scrce,scriptCacheEvictions", "script cache evictions"],
    compilation_limit_triggered: [
      "scrclt,scriptCacheCompilationLimitTriggered",
      "script cache compilation limit triggered",
    ],
  };
  const [aliases = "", description = ""] = lookup(words, name) ?? [];
  return column<Row>(`script.${name}`, () => 0, { ...hidden, aliases, description });
}

function usedDisk(stats: NodeStatsFacts | undefined): number | undefined {
  const disk = stats?.disk;
  return disk === undefined ? undefined : disk.totalBytes - disk.availableBytes;
}

function usedDiskPercent(stats: NodeStatsFacts | undefined): string | undefined {
  const used = usedDisk(stats);
  const total = stats?.disk?.totalBytes ?? 0;
  return used === undefined || total === 0 ? undefined : ((used / total) * 100).toFixed(2);
}

async function rowsOf(
  state: ClusterState,
  isFullId: boolean,
  cluster: Parameters<Parameters<typeof defineCat>[0]["rows"]>[1],
): Promise<readonly Row[]> {
  const ids = resolveNodes(state, []);
  const [infos, stats] = await Promise.all([
    cluster.nodesInfo(ids, ["jvm", "os", "process", "http"]),
    cluster.nodesStats(ids, {
      metrics: ["indices", "os", "process", "jvm", "fs", "script"],
      indexMetrics: [],
      level: "node",
      parameters: {},
    }),
  ]);
  return [...state.nodes.values()].map((node): Row => {
    const info = infos.nodes.find(({ nodeId }) => nodeId === node.id)?.body;
    const facts = stats.nodes.find(({ nodeId }) => nodeId === node.id)?.body;
    const copies = facts?.shards.map((shard) => shard.stats);
    return {
      node,
      isManager: state.managerNodeId === node.id,
      isFullId,
      info,
      stats: facts,
      counters: copies === undefined ? undefined : sumSections(copies, sectionsOf(undefined)),
    };
  });
}
