/** Which of a plan's indices are to be there at the end: scripted requests may delete one, and make it again. */
import type { IndexPlan, Plan } from "../plan.ts";

export function indicesAtTheEnd({ indices, timeline }: Plan): readonly IndexPlan[] {
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
