/**
 * Validation of templates that reducers cannot do: mappings compile and fit together, filters of aliases are queries.
 * Source: `MetadataIndexTemplateService.validateTemplate` and `validateCompositeTemplate`.
 */
import {
  aliasesOfIndexTemplate,
  applyTask,
  indexTemplatesOf,
  mappingsOfIndexTemplate,
  settingsOfIndexTemplate,
  type ClusterState,
  type IndexTemplate,
  type Settings,
  type Task,
  type Rules,
} from "@orrery/cluster-state";
import {
  checkAliasFilter,
  composeMappings,
  mergeMapping,
  type SearchLanguage,
} from "@orrery/query";
import {
  fail,
  illegalArgument,
  inHashOrder,
  OperationError,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";

/** The state after a task. Throws the problem with which its reducer rejects it. */
export function stateWith(state: ClusterState, task: Task, rules: Rules): ClusterState {
  const outcome = applyTask(state, task, rules);
  if (outcome.kind === "rejected") fail(outcome.error);
  return outcome.kind === "updated" ? outcome.state : state;
}

/** An index template and its name. */
export interface NamedTemplate {
  readonly name: string;
  readonly template: IndexTemplate;
}

/** Error for a template with `context`. */
export function refuseContext(name: string): Problem {
  const cause = `index template [${name}] specifies a context which cannot be used without enabling: cluster.application_templates.enabled`;
  const reason = `index_template [${name}] invalid, cause [${cause}]`;
  return { type: "invalid_index_template_exception", reason, status: 400 };
}

/** Checks that a mapping compiles on its own, with the analyzers of the settings. Throws if it does not. */
export function checkMapping(
  language: SearchLanguage,
  mapping: JsonObject | undefined,
  settings: Settings,
): void {
  mergeMapping({}, mapping ?? {}, { language, settings, reason: "template" });
}

/**
 * Checks an index template together with its component templates, which `state` contains. Throws when a mapping or
 * alias filter is invalid.
 */
export function checkIndexTemplate(
  language: SearchLanguage,
  state: ClusterState,
  { name, template }: NamedTemplate,
): void {
  const problem = compositeProblem(language, state, { name, template });
  if (problem === undefined) return;
  const parts = template.composed_of ?? [];
  const using = parts.length === 0 ? "" : `with component templates [${parts.join(", ")}] `;
  throw illegalArgument(
    `composable template [${name}] template after composition ${using}is invalid`,
    problem,
  );
}

/**
 * Checks every index template that uses the component; `state` must already contain the new component. Throws the
 * problem of the first invalid one, with the others in `suppressed`.
 */
export function checkUsersOf(
  language: SearchLanguage,
  state: ClusterState,
  component: string,
): void {
  const templates = indexTemplatesOf(state);
  const problems = inHashOrder([...templates.keys()]).flatMap((name): readonly Problem[] => {
    const template = templates.get(name);
    if (template?.composed_of?.includes(component) !== true) return [];
    const causedBy = compositeProblem(language, state, { name, template });
    if (causedBy === undefined) return [];
    const reason = `updating component template [${component}] results in invalid composable template [${name}] after templates are merged`;
    return [illegalArgument(reason, causedBy).problem];
  });
  const [first, ...suppressed] = problems;
  if (first === undefined) return;
  fail(suppressed.length === 0 ? first : { ...first, suppressed });
}

function compositeProblem(
  language: SearchLanguage,
  state: ClusterState,
  { name, template }: NamedTemplate,
): Problem | undefined {
  try {
    for (const aliases of aliasesOfIndexTemplate(state, template)) {
      for (const [alias, { filter }] of Object.entries(aliases))
        checkAliasFilter(language, alias, filter);
    }
  } catch (error) {
    return problemIn(error);
  }
  const mappings = mappingsOfIndexTemplate(state, template, template.data_stream !== undefined);
  try {
    composeMappings(language, mappings, settingsOfIndexTemplate(state, template));
    return undefined;
  } catch (error) {
    return illegalArgument(`invalid composite mappings for [${name}]`, problemIn(error)).problem;
  }
}

function problemIn(error: unknown): Problem {
  if (error instanceof OperationError) return error.problem;
  throw error;
}
