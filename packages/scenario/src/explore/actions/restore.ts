/** Action that takes a snapshot, restores an index of it under another name, and deletes the restored index. */
import { attempt, hasRepositories, until, wait, type ActionRow } from "./action.ts";
import { REPOSITORY } from "./snapshot.ts";

const names: readonly string[] = ["back-1", "back-2"];

export const restore: ActionRow = {
  areas: ["snapshots"],
  fits: hasRepositories,
  draw: (scene) => {
    const { name: index } = scene.index();
    const snapshot = `r${scene.random.int(1, 2)}`;
    const back = scene.random.pick(names);
    const body = {
      indices: index,
      include_aliases: false,
      rename_pattern: "^.*$",
      rename_replacement: back,
      index_settings: { "index.number_of_replicas": scene.random.int(0, 1) },
    };
    const waits = scene.chance(500) ? "?wait_for_completion=true" : "";
    return [
      attempt(`PUT /_snapshot/${REPOSITORY}/${snapshot}?wait_for_completion=true`),
      attempt(`POST /_snapshot/${REPOSITORY}/${snapshot}/_restore${waits}`, { body }),
      wait(scene.ms(1, 1000)),
      ...(scene.chance(500) ? [attempt(`DELETE /${back}`)] : []),
    ];
  },
  undo: () => names.map((name) => until(`DELETE /${name}`, [200, 404])),
};
