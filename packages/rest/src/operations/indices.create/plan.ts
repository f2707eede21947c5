/** The task that a request for an index comes to, and what any cluster has against such a request. */
import {
  applyTask,
  initialState,
  resolveDateMath,
  validateIndexSettings,
  validateNewIndexName,
  type ClusterState,
} from "@orrery/cluster-state";
import { planIndex, type PlannedIndex } from "@orrery/node";
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

/** Throws `OperationError` when the cluster does not take it. */
export function planNewIndex(
  state: ClusterState,
  index: NamedIndex,
  drawn: { readonly random: Random; readonly nowMs: number },
): PlannedIndex {
  const settingProblem = validateIndexSettings(index.settings, { isCreate: true });
  if (settingProblem !== undefined) fail(settingProblem);
  const nameProblem = validateNewIndexName(state, index.name);
  if (nameProblem !== undefined) fail(nameProblem);
  return planIndex(state, index, drawn);
}

/** Why a cluster that holds nothing would refuse to create an index of this name with this body. */
export function indexProblem(providedName: string, body: JsonObject): Problem | undefined {
  const state = initialState("");
  try {
    const name = resolveDateMath(providedName, 0);
    const index = { ...newIndexOf(body), name, providedName };
    const { task } = planNewIndex(state, index, { random: createRandom(""), nowMs: 0 });
    const outcome = applyTask(state, task);
    return outcome.kind === "rejected" ? outcome.error : undefined;
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
}
