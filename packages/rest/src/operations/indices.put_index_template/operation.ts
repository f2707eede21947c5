/** `indices.put_index_template`: stores an index template. */
import {
  describeOverlaps,
  overlappingLegacyTemplates,
  type ClusterState,
  type IndexTemplate,
} from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { indexTemplateBody } from "../../templates/body.ts";
import { checkIndexTemplate, refuseContext, stateWith } from "../../templates/check.ts";
import { templateSubmit } from "../../templates/parameters.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, managerTimeoutMs, text } from "../../parameters.ts";
import { validate } from "../../validation.ts";

export const indicesPutIndexTemplate: Operation = defineOperation({
  group: "indices.put_index_template",
  permission: "indices:admin/index_template/put",
  routes: ["PUT /_index_template/{name}", "POST /_index_template/{name}"],
  query: { ...managerTimeout, create: flag(false), cause: text("api") },
  body: indexTemplateBody,
  deviations: [],

  async handle({ path, query, body: { template, hasContext }, request }, cluster) {
    const name = path["name"] ?? "";
    validateRequest(template);
    if (hasContext) throw new OperationError(refuseContext(name));
    const task = { kind: "put-index-template", name, create: query.create, template } as const;
    const state = await cluster.managerState(managerTimeoutMs(query));
    const { language, rules } = cluster.product;
    checkIndexTemplate(language, stateWith(state, task, rules), { name, template });
    warnOfOverlap(state, name, template, (warning) => request.warn(warning));
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(task, templateSubmit(query));
    return { body: { acknowledged } };
  },
});

function validateRequest(template: IndexTemplate): void {
  const { index_patterns: patterns, priority = 0, template: own } = template;
  const isHidden = own?.settings?.["index.hidden"] !== undefined;
  validate([
    patterns.includes("*") &&
      isHidden &&
      "global composable templates may not specify the setting index.hidden",
    priority < 0 && "index template priority must be >= 0",
  ]);
}

function warnOfOverlap(
  state: ClusterState,
  name: string,
  { index_patterns: patterns }: IndexTemplate,
  warn: (text: string) => void,
): void {
  const overlaps = overlappingLegacyTemplates(state, patterns);
  if (overlaps.size === 0) return;
  const existing = describeOverlaps(overlaps);
  warn(
    `index template [${name}] has index patterns [${patterns.join(", ")}] matching patterns from existing older templates [${existing.names}] with patterns (${existing.patterns}); this template [${name}] will take precedence during new index creation`,
  );
}
