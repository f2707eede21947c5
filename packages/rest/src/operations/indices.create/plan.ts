/** The task that a request for an index comes to, and what any cluster has against such a request. */
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
  /** As the client wrote it, date math included. */
  readonly providedName: string;
}

/** By which rules, and what is drawn. */
interface Judging {
  readonly language: SearchLanguage;
  readonly rules: Rules;
  readonly random: Random;
  readonly nowMs: number;
}

/** Throws `OperationError` when the cluster does not take it. */
export function planNewIndex(
  state: ClusterState,
  index: NamedIndex,
  { rules, ...drawn }: Judging,
): PlannedIndex {
  const settingProblem = validateIndexSettings(rules.settings.index, index.settings, {
    isCreate: true,
  });
  if (settingProblem !== undefined) fail(settingProblem);
  const nameProblem = validateNewIndexName(state, index.name);
  if (nameProblem !== undefined) fail(nameProblem);
  return planIndex(state, index, drawn);
}

/** A cluster that exists in thought only, to be asked what it would refuse. */
export interface IndexJudge {
  /** Why it would refuse to create an index of this name with this body. */
  problemOf(providedName: string, body: JsonObject): Problem | undefined;
  /** Creates one that it does not refuse. */
  create(providedName: string, body: JsonObject): void;
}

/** It holds nothing at first. */
export function createIndexJudge({
  language,
  rules,
}: Pick<Product, "language" | "rules">): IndexJudge {
  const judging = { language, rules, random: createRandom(""), nowMs: 0 };
  let state = initialState("");

  const attempt = (providedName: string, body: JsonObject): Outcome => {
    const name = resolveDateMath(providedName, 0);
    const index = { ...newIndexOf(body), name, providedName };
    return applyTask(state, planNewIndex(state, index, judging).task, rules);
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
