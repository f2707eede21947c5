/** Which of a plan's indices are there at the end and can be read: clients may close one, scripted requests delete it, and make it again. */
import type { IndexPlan, Plan } from "../plan.ts";
import type { World } from "../world.ts";

export async function openIndices(world: World, plan: Plan): Promise<readonly IndexPlan[]> {
  const open: IndexPlan[] = [];
  for (const index of indicesAtTheEnd(plan)) {
    const view = await world.view(world.running(index.cluster)[0] ?? "");
    if (view?.indices.get(index.name)?.state !== "close") open.push(index);
  }
  return open;
}

function indicesAtTheEnd({ indices, timeline }: Plan): readonly IndexPlan[] {
  return indices.filter(({ name }) => {
    const methods = timeline.flatMap(({ action }) =>
      action.kind === "request" && action.step.uri.split("?", 1)[0] === `/${name}`
        ? [action.step.method]
        : [],
    );
    const last = methods.findLast((method) => method === "DELETE" || method === "PUT");
    return last !== "DELETE";
  });
}
