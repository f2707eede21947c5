/** `indices.put_template`: stores a legacy template. A new index gets all matching ones, merged by `order`. */
import {
  describeOverlaps,
  overlappingIndexTemplates,
  type ClusterState,
} from "@orrery/cluster-state";
import { legacyTemplateBody } from "../../templates/body.ts";
import { checkMapping, stateWith } from "../../templates/check.ts";
import { addedParameter, templateSubmit } from "../../templates/parameters.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, int, managerTimeout, managerTimeoutMs, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const indicesPutTemplate: Operation = defineOperation({
  group: "indices.put_template",
  permission: "indices:admin/template/put",
  routes: ["PUT /_template/{name}", "POST /_template/{name}"],
  query: { ...managerTimeout, create: flag(false), order: int(0), cause: text("") },
  body: legacyTemplateBody,
  deviations: [addedParameter("cause")],

  async handle({ path, query, body, request }, cluster) {
    const name = path["name"] ?? "";
    const template = { ...body.template, order: body.order ?? query.order };
    const { index_patterns: patterns, mappings, settings } = template;
    validate([patterns.length === 0 && "index patterns are missing"]);
    const task = { kind: "put-legacy-template", name, create: query.create, template } as const;
    const state = await cluster.managerState(managerTimeoutMs(query));
    const { language, rules } = cluster.product;
    stateWith(state, task, rules);
    checkMapping(language, mappings, settings);
    warnOfOverlap(state, name, patterns, (warning) => request.warn(warning));
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(task, templateSubmit(query));
    return { body: { acknowledged } };
  },
});

function warnOfOverlap(
  state: ClusterState,
  name: string,
  patterns: readonly string[],
  warn: (text: string) => void,
): void {
  const overlaps = overlappingIndexTemplates(state, patterns, { except: name });
  if (overlaps.size === 0) return;
  const existing = describeOverlaps(overlaps);
  warn(
    `legacy template [${name}] has index patterns [${patterns.join(", ")}] matching patterns from existing composable templates [${existing.names}] with patterns (${existing.patterns}); this template [${name}] may be ignored in favor of a composable template at index creation time`,
  );
}
