/** Shared parts of the two operations on one dangling index: the look-up by uuid, and the check of `accept_data_loss`. */
import type { Cluster, DanglingIndex } from "@orrery/node";
import { illegalArgument, OperationError } from "@orrery/stdx";
import { flag, type Parameter } from "../parameters.ts";
import { acknowledgedParameters, type AcknowledgedParameters } from "./acknowledged.ts";

export interface DanglingParameters extends AcknowledgedParameters {
  readonly accept_data_loss: Parameter<boolean>;
}

export const danglingParameters: DanglingParameters = {
  ...acknowledgedParameters,
  accept_data_loss: flag(false),
};

/**
 * Finds a dangling index on some node. Throws when a node does not answer (that node might hold the index), when no
 * node has it, and without `acceptsDataLoss`.
 */
export async function findDangling(
  cluster: Cluster,
  uuid: string,
  acceptsDataLoss: boolean,
): Promise<DanglingIndex> {
  const { indices, answer } = await cluster.danglingIndices(
    [...cluster.state().nodes.keys()],
    uuid,
  );
  if (answer.failures.length > 0) {
    const ids = answer.failures.map(({ nodeId }) => nodeId).join(",");
    const reason = `Failed to query nodes [${ids}]`;
    throw new OperationError({ type: "exception", reason, status: 500 });
  }
  const [found] = indices;
  if (found === undefined) throw illegalArgument(`No dangling index found for UUID [${uuid}]`);
  if (!acceptsDataLoss) throw illegalArgument("accept_data_loss must be set to true");
  return found.index;
}
