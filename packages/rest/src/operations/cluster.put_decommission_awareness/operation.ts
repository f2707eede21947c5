/** `cluster.put_decommission_awareness`: decommissions a zone. The response is sent before the zone drains. */
import { newUuid } from "@orrery/stdx";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { duration, flag, onDemand } from "../../parameters.ts";
import { validate } from "../../validation.ts";

const drainingMs = 120_000;

export const clusterPutDecommissionAwareness: Operation = defineOperation({
  group: "cluster.put_decommission_awareness",
  permission: "cluster:admin/decommission/awareness/put",
  routes: [
    "PUT /_cluster/decommission/awareness/{awareness_attribute_name}/{awareness_attribute_value}",
  ],
  query: { no_delay: flag(false), delay_timeout: onDemand(duration()) },
  deviations: [
    {
      kind: "parameter",
      name: "no_delay",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "delay_timeout",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "behaviour",
      name: "weights",
      reason:
        "the product requires that the weight of the zone was set to 0 before; if no weights are set, the decommission itself sets them here, as the description says",
      isLeniency: true,
    },
  ],

  async handle({ path, query }, cluster) {
    const attribute = path["awareness_attribute_name"] ?? "";
    const value = path["awareness_attribute_value"] ?? "";
    const { no_delay: noDelay, delay_timeout: givenMs } = query;
    const seconds = Math.floor((givenMs ?? 0) / 1000);
    validate([
      attribute === "" && "attribute name is missing",
      value === "" && "attribute value is missing",
      noDelay &&
        seconds > 0 &&
        `Invalid decommission request. no_delay is true and delay_timeout is set to ${seconds}] Seconds`,
    ]);
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    await cluster.decommission({
      attribute,
      value,
      requestId: newUuid(cluster.random),
      delayMs: noDelay ? 0 : (givenMs ?? drainingMs),
      weighsAway: !cluster.isStrict,
      managerTimeoutMs: 30_000,
    });
    return { body: { acknowledged: true } };
  },
});
