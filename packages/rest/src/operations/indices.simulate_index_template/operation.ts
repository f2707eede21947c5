/**
 * `indices.simulate_index_template`: settings, mapping and aliases that an index of a name would get, optionally with
 * one more template.
 */
import { findIndexTemplate } from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { optionalIndexTemplateBody } from "../../templates/body.ts";
import { refuseContext } from "../../templates/check.ts";
import { randomName, simulation, withSimulated } from "../../templates/simulate.ts";
import { addedParameter } from "../../templates/parameters.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, managerTimeoutMs, onDemand, text } from "../../parameters.ts";
import { unrecognized } from "../../unrecognized.ts";

export const indicesSimulateIndexTemplate: Operation = defineOperation({
  group: "indices.simulate_index_template",
  permission: "indices:admin/index_template/simulate_index",
  routes: ["POST /_index_template/_simulate_index/{name}"],
  query: { ...managerTimeout, create: onDemand(flag(false)), cause: onDemand(text()) },
  body: optionalIndexTemplateBody,
  deviations: [addedParameter("create"), addedParameter("cause")],

  async handle({ path, query, body: sent, request }, cluster) {
    const unread = ["cause", "create"].filter((name) => sent === undefined && request.has(name));
    if (unread.length > 0) {
      throw unrecognized(request.path, "parameter", unread, Object.keys(managerTimeout));
    }
    const state = await cluster.managerState(managerTimeoutMs(query));
    const index = path["name"] ?? "";
    const added = randomName("simulate_index_template_", cluster.random);
    if (sent?.hasContext === true) throw new OperationError(refuseContext(added));
    const next =
      sent === undefined
        ? state
        : withSimulated(
            state,
            added,
            { template: sent.template, create: query.create },
            cluster.product,
          );
    const name = findIndexTemplate(next, index, false);
    const { language } = cluster.product;
    return { body: name === undefined ? {} : simulation(language, next, { name, index }) };
  },
});
