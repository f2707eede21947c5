/** `prometheus.metrics`: figures of the cluster for a scrape. */
import { defineOperation, type Operation } from "@orrery/rest";
import type { Cluster } from "@orrery/node";
import type { ValueKey } from "@orrery/stdx";
import { collectFamilies } from "./collect.ts";
import { contentType, exposition, PART } from "./exposition.ts";
import type { Family } from "./family.ts";
import { exporterSettings } from "./settings.ts";

export const metrics: Operation = defineOperation({
  group: "prometheus.metrics",
  permission: "cluster:monitor/prometheus/metrics",
  routes: ["GET /_prometheus/metrics"],
  query: {},
  deviations: [
    {
      kind: "behaviour",
      name: "figures",
      reason:
        "figures without a counterpart in Orrery are left out: docs/observability.md lists them",
    },
  ],

  async handle(_call, cluster) {
    const settings = exporterSettings(cluster.withOwnSettings(cluster.state()));
    const begunMs = cluster.clock.monotonicMs();
    const families = await collectFamilies(cluster, settings);
    const timed = scrapes(cluster, (cluster.clock.monotonicMs() - begunMs) / 1000);
    return { text: exposition([...families, timed], settings.prefix), contentType };
  },
});

interface Scrapes {
  count: number;
  seconds: number;
}

const scrapesOfNode: ValueKey<Scrapes> = {
  name: "scrapes",
  create: () => ({ count: 0, seconds: 0 }),
};

/** Counts a scrape of this node; the family of the time that scrapes have taken. */
function scrapes(cluster: Cluster, seconds: number): Family {
  const sum = cluster.kept.of(scrapesOfNode);
  sum.count += 1;
  sum.seconds += seconds;
  const { name, id } = cluster.localNode;
  const labels = { cluster: cluster.state().clusterName, node: name, nodeid: id };
  return {
    name: "metrics_generate_time_seconds",
    help: "Time spent while generating metrics",
    type: "summary",
    samples: [
      { labels: { [PART]: "count", ...labels }, value: sum.count },
      { labels: { [PART]: "sum", ...labels }, value: sum.seconds },
    ],
  };
}
