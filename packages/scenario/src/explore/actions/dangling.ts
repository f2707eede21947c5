/**
 * Action that deletes an index while a node with a copy is down, and imports or deletes the dangling index that the
 * node then has.
 */
import type { Action } from "../../plan.ts";
import { attempt, until, wait, type ActionRow } from "./action.ts";

const names: readonly string[] = ["lost-1", "lost-2"];

export const dangling: ActionRow = {
  areas: ["dangling"],
  fits: ({ clusters }) => clusters.every(({ nodes }) => nodes.length > 2),
  draw: (scene) => {
    const [first] = scene.clusters;
    if (first === undefined) return [];
    const name = scene.random.pick(names);
    const { name: away } = scene.random.pick(first.nodes);
    const settings = {
      number_of_shards: scene.random.int(1, 2),
      number_of_replicas: first.nodes.length - 1,
      "index.allocation.max_retries": 1000,
    };
    const saved = `${name}-uuid`.replaceAll("-", "_");
    const list: Action = {
      kind: "request",
      step: {
        method: "GET",
        uri: "/_dangling",
        expect: { body: { "dangling_indices.length": ">= 1" } },
        save: { [saved]: "dangling_indices.0.index_uuid" },
        untilMs: 5000,
        attempt: true,
        timeoutMs: 5000,
      },
    };
    const lossy = "accept_data_loss=true";
    const then = scene.random.pick([
      `POST /_dangling/{${saved}}?${lossy}`,
      `DELETE /_dangling/{${saved}}?${lossy}`,
    ]);
    return [
      attempt(`PUT /${name}`, { body: { settings } }),
      attempt(`PUT /${name}/_doc/1?timeout=2s`, { body: { value: 1 } }),
      {
        kind: "fault",
        fault: { kind: scene.random.pick(["stop", "crash"] as const), node: away },
        id: "away",
      },
      wait(scene.ms(100, 4000)),
      attempt(`DELETE /${name}`),
      ...["other-1", "other-2"].flatMap((other) => [
        attempt(`PUT /${other}`),
        attempt(`DELETE /${other}`),
      ]),
      { kind: "end", id: "away" },
      list,
      attempt(then),
      wait(scene.ms(10, 1000)),
      ...(scene.chance(300) ? [attempt(`PUT /${name}`, { body: { settings } })] : []),
      ...(scene.chance(500) ? [attempt(then)] : []),
    ];
  },
  undo: () => [...names, "other-1", "other-2"].map((name) => until(`DELETE /${name}`, [200, 404])),
};
