/** Deletes templates of one kind, unless they are in use (`MetadataIndexTemplateService`). */
import { compareText, illegalArgument, inHashOrder, matchesGlob, type Problem } from "@orrery/stdx";
import { matchAll, templateMissing } from "../templates/find.ts";
import {
  componentTemplatesOf,
  indexTemplatesOf,
  legacyTemplatesOf,
  withComponentTemplates,
  withIndexTemplates,
  withLegacyTemplates,
} from "../templates/sections.ts";
import { dataStreamsUsing } from "../templates/streams.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface DeleteTemplates {
  readonly kind: "delete-templates";
  readonly of: "component" | "index" | "legacy";
  /** Name, or a pattern with `*`. */
  readonly pattern: string;
}

/**
 * Deletes the templates that a pattern matches. Rejected when none does, unless the pattern is `*`, and while an index
 * template or a data stream uses one of them.
 */
export function deleteTemplates(state: ClusterState, task: DeleteTemplates): Outcome {
  switch (task.of) {
    case "component":
      return remove(state, task.pattern, {
        templates: componentTemplatesOf(state),
        problem: componentsInUse,
        put: withComponentTemplates,
      });
    case "index":
      return remove(state, task.pattern, {
        templates: indexTemplatesOf(state),
        problem: templatesInUse,
        put: withIndexTemplates,
      });
    case "legacy":
      return remove(state, task.pattern, {
        templates: legacyTemplatesOf(state),
        problem: () => undefined,
        put: withLegacyTemplates,
      });
  }
}

interface Kind<Value> {
  readonly templates: ReadonlyMap<string, Value>;
  readonly problem: (state: ClusterState, names: readonly string[]) => Problem | undefined;
  readonly put: (state: ClusterState, templates: ReadonlyMap<string, Value>) => ClusterState;
}

function remove<Value>(
  state: ClusterState,
  pattern: string,
  { templates, problem, put }: Kind<Value>,
): Outcome {
  const names = [...templates.keys()].filter((name) => matchesGlob(pattern, name));
  if (names.length === 0) {
    return matchAll(pattern) ? unchanged : rejected(templateMissing(pattern));
  }
  const used = problem(state, names);
  if (used !== undefined) return rejected(used);
  const left = [...templates].filter(([name]) => !names.includes(name));
  return updated(put(state, new Map(left)));
}

function componentsInUse(state: ClusterState, names: readonly string[]): Problem | undefined {
  const templates = indexTemplatesOf(state);
  const users = inHashOrder([...templates.keys()]).filter((name) =>
    templates.get(name)?.composed_of?.some((part) => names.includes(part)),
  );
  if (users.length === 0) return undefined;
  const used = names.filter((name) =>
    users.some((user) => templates.get(user)?.composed_of?.includes(name)),
  );
  return illegalArgument(
    `component templates [${inHashOrder(used).join(", ")}] cannot be removed as they are still in use by index templates [${users.join(", ")}]`,
  ).problem;
}

function templatesInUse(state: ClusterState, names: readonly string[]): Problem | undefined {
  const streams = new Set(names.flatMap((name) => dataStreamsUsing(state, name)));
  if (streams.size === 0) return undefined;
  const sorted = [...streams].toSorted(compareText);
  return illegalArgument(
    `unable to remove composable templates [${names.toSorted(compareText).join(", ")}] as they are in use by a data streams [${sorted.join(", ")}]`,
  ).problem;
}
