/** Action that adds a field to the mapping of an index. */
import { at, attempt, type ActionRow } from "./action.ts";

export const mapping: ActionRow = {
  areas: ["administration"],
  draw: (scene) => {
    const index = scene.index();
    const type = scene.random.pick(["keyword", "text", "long", "date"]);
    const properties = { [`field_${type}_${scene.random.int(1, 3)}`]: { type } };
    return [attempt(`PUT /${index.name}/_mapping`, at(index, { properties }))];
  },
};
