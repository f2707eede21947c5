/** Action that creates an index during the run, writes to it, and deletes it. */
import { attempt, until, wait, type ActionRow } from "./action.ts";

const templates: readonly string[] = ["made-1", "made-2"];

export const shortLivedIndex: ActionRow = {
  areas: ["administration", "membership", "dangling", "replication"],
  draw: (scene) => {
    const cluster = scene.cluster();
    const name = scene.random.pick(templates);
    const settings = {
      number_of_shards: scene.random.int(1, 2),
      number_of_replicas: scene.random.int(0, cluster.nodes.length - 1),
    };
    const ask = { cluster: cluster.name };
    const document = { ...ask, body: { value: scene.random.int(0, 1_000_000) } };
    return [
      attempt(`PUT /${name}?timeout=2s`, { ...ask, body: { settings } }),
      attempt(`POST /${name}/_doc?wait_for_active_shards=1`, document),
      wait(scene.ms(1, 1000)),
      attempt(`POST /${name}/_search`, ask),
      ...(scene.chance(700) ? [attempt(`DELETE /${name}`, ask)] : []),
    ];
  },
  undo: ({ clusters }) =>
    clusters.flatMap(({ name: cluster }) =>
      templates.map((name) =>
        until(`DELETE /${name}?ignore_unavailable=true`, [200, 404], { cluster }),
      ),
    ),
};
