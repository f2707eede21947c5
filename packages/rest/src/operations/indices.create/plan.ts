/** Plan of an index creation: the task that a request results in, and the checks that any cluster applies to it. */
import {
  applyTask,
  initialState,
  resolveDateMath,
  validateIndexSettings,
  validateNewIndexName,
  type ClusterState,
  type Outcome,
  type Rules,
} from "@orrery/cluster-state";
import { planIndex, type PlannedIndex, type Product } from "@orrery/node";
import type { SearchLanguage } from "@orrery/query";
import {
  createRandom,
  fail,
  OperationError,
  type JsonObject,
  type Problem,
  type Random,
} from "@orrery/stdx";
import { newIndexOf, type NewIndexBody } from "./body.ts";

interface NamedIndex extends NewIndexBody {
  readonly name: string;
  /** The name as sent, with date math unresolved. */
  readonly providedName: string;
}

/** Rules and search language of the plan, its time, and the generator that draws the uuid. */
interface PlanContext {
  readonly language: SearchLanguage;
  readonly rules: Rules;
  readonly random: Random;
  readonly nowMs: number;
}

/** Plans the creation. Throws `OperationError` when the cluster state or the rules refuse it. */
export function planNewIndex(
  state: ClusterState,
  index: NamedIndex,
  { rules, ...inputs }: PlanContext,
): PlannedIndex {
  const settingProblem = validateIndexSettings(rules.settings.index, index.settings, {
    isCreate: true,
  });
  if (settingProblem !== undefined) fail(settingProblem);
  const nameProblem = validateNewIndexName(state, index.name);
  if (nameProblem !== undefined) fail(nameProblem);
  return planIndex(state, index, inputs);
}

/** A hypothetical cluster that validates index creations without running them. */
export interface IndexValidator {
  /** The problem with creating an index of this name and body; `undefined` when the cluster would accept it. */
  problemOf(providedName: string, body: JsonObject): Problem | undefined;
  /** Creates an index for which `problemOf` returns `undefined`. */
  create(providedName: string, body: JsonObject): void;
}

/** A validator over an empty cluster. */
export function createIndexValidator({
  language,
  rules,
}: Pick<Product, "language" | "rules">): IndexValidator {
  const context = { language, rules, random: createRandom(""), nowMs: 0 };
  let state = initialState("");

  const attempt = (providedName: string, body: JsonObject): Outcome => {
    const name = resolveDateMath(providedName, 0);
    const index = { ...newIndexOf(body), name, providedName };
    return applyTask(state, planNewIndex(state, index, context).task, rules);
  };

  return {
    problemOf: (providedName, body) => {
      try {
        const outcome = attempt(providedName, body);
        return outcome.kind === "rejected" ? outcome.error : undefined;
      } catch (error) {
        if (error instanceof OperationError) return error.problem;
        throw error;
      }
    },
    create: (providedName, body) => {
      const outcome = attempt(providedName, body);
      if (outcome.kind === "updated") ({ state } = outcome);
    },
  };
}
