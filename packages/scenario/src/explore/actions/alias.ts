/** Action that adds an alias to an index, or removes it. */
import { at, attempt, type ActionRow } from "./action.ts";

export const alias: ActionRow = {
  areas: ["administration"],
  draw: (scene) => {
    const index = scene.index();
    const name = `also-${scene.random.int(1, 2)}`;
    const actions = [
      { [scene.chance(600) ? "add" : "remove"]: { index: index.name, alias: name } },
    ];
    return [attempt("POST /_aliases", at(index, { actions }))];
  },
};
