/** What the two operations on one dangling index have in common: finding it, and the consent. */
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

/** Every node is asked; one that does not answer could be the one that has it. */
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
