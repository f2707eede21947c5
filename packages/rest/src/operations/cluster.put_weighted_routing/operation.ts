/** `cluster.put_weighted_routing`: sets the weights of the values of an awareness attribute. */
import { weightText } from "@orrery/cluster-state";
import { inHashOrder, lookup, OperationError } from "@orrery/stdx";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { validate } from "../../validation.ts";
import { weightsBody, type WeightsBody } from "./body.ts";

export const clusterPutWeightedRouting: Operation = defineOperation({
  group: "cluster.put_weighted_routing",
  permission: "cluster:admin/routing/awareness/weights/put",
  routes: ["PUT /_cluster/routing/awareness/{attribute}/weights"],
  query: {},
  body: (content) => content,
  deviations: [
    {
      kind: "behaviour",
      name: "weights",
      reason: "weights that are hexadecimal, `NaN` or infinite are rejected",
    },
    {
      kind: "behaviour",
      name: "body",
      reason:
        "the product fails with a null pointer exception if the request has no body; here the error says what is missing",
      isLeniency: true,
    },
  ],

  async handle({ path, body: content }, cluster) {
    const attribute = path["attribute"] ?? "";
    if (content === undefined && cluster.isStrict) throw nullPointer();
    const body: WeightsBody =
      content === undefined ? { weights: {}, version: undefined } : weightsBody(content, attribute);
    const { weights, version } = body;
    validate([
      Object.keys(weights).length === 0 && "Weights are missing",
      version === undefined && "Version is missing",
    ]);
    validate([tooManyZeros(weights)]);
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    await cluster.submit(
      { kind: "put-weighted-routing", attribute, weights, version: version ?? 0 },
      { priority: "URGENT" },
    );
    return { body: { acknowledged: true } };
  },
});

/** The refusal of weights of which more than half are 0. */
function tooManyZeros(weights: Readonly<Record<string, number>>): string | undefined {
  const values = Object.keys(weights);
  const zeros = values.filter((value) => lookup(weights, value) === 0).length;
  const most = Math.floor(values.length / 2);
  if (zeros <= most) return undefined;
  const shown = inHashOrder(values).map(
    (value) => `${value}=${weightText(lookup(weights, value) ?? 0)}`,
  );
  return `There are too many attribute values [{${shown.join(", ")}}] given zero weight [${zeros}]. Maximum expected number of routing weights having zero weight is [${most}]`;
}

function nullPointer(): OperationError {
  const reason =
    'Cannot invoke "org.opensearch.cluster.routing.WeightedRouting.attributeName()" because "this.weightedRouting" is null';
  return new OperationError({ type: "null_pointer_exception", reason, status: 500 });
}
