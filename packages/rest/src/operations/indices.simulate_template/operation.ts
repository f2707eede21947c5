/** `indices.simulate_template`: settings, mapping and aliases that a template, stored or sent, would give an index. */
import { indexTemplatesOf } from "@orrery/cluster-state";
import { illegalArgument, OperationError } from "@orrery/stdx";
import { optionalIndexTemplateBody } from "../../templates/body.ts";
import { refuseContext } from "../../templates/check.ts";
import { randomName, simulation, withSimulated } from "../../templates/simulate.ts";
import { refusedParameter } from "../../templates/parameters.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, managerTimeoutMs, onDemand } from "../../parameters.ts";
import { unrecognized } from "../../unrecognized.ts";
import { validate } from "../../validation.ts";

const query = { ...managerTimeout, create: onDemand(flag(false)) };

export const indicesSimulateTemplate: Operation = defineOperation({
  group: "indices.simulate_template",
  permission: "indices:admin/index_template/simulate",
  routes: ["POST /_index_template/_simulate", "POST /_index_template/_simulate/{name}"],
  query,
  body: optionalIndexTemplateBody,
  deviations: [refusedParameter("cause")],

  async handle({ path, query: { create, ...timeouts }, body: sent, request }, cluster) {
    if (sent === undefined && request.has("create")) {
      throw unrecognized(request.path, "parameter", ["create"], Object.keys(managerTimeout));
    }
    validate([
      path["name"] === undefined &&
        sent === undefined &&
        "either index name or index template body must be specified for simulation",
    ]);
    const state = await cluster.managerState(managerTimeoutMs(timeouts));
    const { random, product } = cluster;
    const name = path["name"] ?? randomName("simulate_template_", random);
    if (sent?.hasContext === true) throw new OperationError(refuseContext(name));
    const next =
      sent === undefined
        ? state
        : withSimulated(state, name, { template: sent.template, create }, product);
    if (!indexTemplatesOf(next).has(name)) {
      throw illegalArgument(`unable to simulate template [${name}] that does not exist`);
    }
    return {
      body: simulation(product.language, next, {
        name,
        index: randomName("simulate_template_index_", random),
      }),
    };
  },
});
