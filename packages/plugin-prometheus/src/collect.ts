/**
 * Figures of the cluster at this moment. Each is read out of a body that a REST operation answers to any client, so that
 * a scrape and a client never see different numbers.
 */
import { bodyOf } from "@orrery/rest";
import type { Cluster } from "@orrery/node";
import { isJsonObject, type JsonObject } from "@orrery/stdx";
import { clusterRows } from "./families/cluster.ts";
import { indexHealthRows, indexStatsRows } from "./families/indices.ts";
import { nodeRows } from "./families/node.ts";
import { settingFamilies } from "./families/settings.ts";
import { at, objectAt, type Family, type Labels, type Row, type Sample } from "./family.ts";
import { exporterSettings, type ExporterSettings } from "./settings.ts";

/** The figures of the node by its settings, with their whole names. */
export async function currentFigures(cluster: Cluster): Promise<readonly Family[]> {
  const settings = exporterSettings(cluster.withOwnSettings(cluster.state()));
  const families = await collectFamilies(cluster, settings);
  return families.map((family) => ({ ...family, name: `${settings.prefix}${family.name}` }));
}

/** Collects all families, those without a sample left out. */
export async function collectFamilies(
  cluster: Cluster,
  settings: ExporterSettings,
): Promise<readonly Family[]> {
  const { hasIndices, hasClusterSettings } = settings;
  // The exporter, too, reads the health that the node itself knows: a scrape needs no elected cluster manager.
  const level = hasIndices ? "&level=indices" : "";
  const [health, nodes, stats] = await Promise.all([
    bodyOf(`/_cluster/health?local=true${level}`, cluster),
    bodyOf(`/_nodes/${encodeURIComponent(settings.nodes)}/stats`, cluster),
    hasIndices ? bodyOf(`/${indicesPath(settings.indices)}_stats`, cluster) : {},
  ]);
  const labels = { cluster: cluster.state().clusterName };
  const families = [
    ...familiesOf(clusterRows, [{ labels, body: health }]),
    ...familiesOf(nodeRows, nodeBodies(nodes, labels)),
    ...(hasIndices ? indexFamilies(health, stats, labels) : []),
    ...(hasClusterSettings
      ? settingFamilies(cluster.withOwnSettings(cluster.state()), labels)
      : []),
  ];
  return families.filter(({ samples }) => samples.length > 0);
}

function indicesPath(expressions: string): string {
  return expressions === "" ? "" : `${encodeURIComponent(expressions)}/`;
}

/** A body, and the labels of all figures that are read out of it. */
interface LabelledBody {
  readonly labels: Labels;
  readonly body: JsonObject;
}

function familiesOf(rows: readonly Row[], bodies: readonly LabelledBody[]): readonly Family[] {
  return rows.map(({ name, help, read }) => ({
    ...{ name, help },
    type: "gauge",
    samples: bodies.flatMap(({ labels, body }) =>
      read(body).map((sample): Sample => ({ ...sample, labels: { ...labels, ...sample.labels } })),
    ),
  }));
}

function nodeBodies(answer: JsonObject, labels: Labels): readonly LabelledBody[] {
  return Object.entries(objectAt(answer, "nodes")).flatMap(([nodeid, body]) =>
    isJsonObject(body)
      ? [{ labels: { ...labels, node: String(at(body, "name")), nodeid }, body }]
      : [],
  );
}

function indexFamilies(health: JsonObject, stats: JsonObject, labels: Labels): readonly Family[] {
  const counted = membersAt(stats, "indices");
  const names = new Set(counted.map(([name]) => name));
  const known = membersAt(health, "indices").filter(([name]) => names.has(name));
  const contexts = counted.flatMap(([index, body]) =>
    ["total", "primaries"].map((context) => ({
      labels: { ...labels, index, context },
      body: objectAt(body, context),
    })),
  );
  return [
    ...familiesOf(
      indexHealthRows,
      known.map(([index, body]) => ({ labels: { ...labels, index }, body })),
    ),
    ...familiesOf(indexStatsRows, contexts),
  ];
}

function membersAt(body: JsonObject, path: string): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectAt(body, path)).flatMap(([name, value]) =>
    isJsonObject(value) ? [[name, value] as const] : [],
  );
}
