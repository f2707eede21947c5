/**
 * `cancel`: fails a copy so that it is allocated anew; a primary only with `allow_primary`
 * (`CancelAllocationCommand`).
 */
import { describeNode, isRelocationTarget } from "@orrery/cluster-state";
import { defined, fail } from "@orrery/stdx";
import { changesOf } from "../allocation.ts";
import { yes } from "../decision.ts";
import { failCopy } from "../fail-copy.ts";
import { indexNotRouted } from "../index-not-routed.ts";
import { resolveNode } from "../resolve-node.ts";
import { copyOn } from "../routing-nodes.ts";
import { decisionsOf, illegal, refuse, type Command } from "./command.ts";
import { checkFields, flagField, shardField, textField } from "./fields.ts";

const LABEL = "cancel_allocation_command";

export const cancel: Command<"cancel"> = {
  parse(fields) {
    checkFields("cancel", fields, ["index", "shard", "node", "allow_primary", "allowPrimary"]);
    return {
      kind: "cancel",
      index: textField("cancel", fields, "index"),
      shard: shardField("cancel", fields),
      node: textField("cancel", fields, "node"),
      allowPrimary: flagField(fields, "allow_primary", "allowPrimary"),
    };
  },
  parameters: ({ index, shard, node, allowPrimary }) => ({
    index,
    shard,
    node,
    allow_primary: allowPrimary,
  }),
  execute(allocation, { index, shard, node: expression, allowPrimary }, options) {
    const { routing, state, inputs } = allocation;
    const node = resolveNode(state, expression);
    if (routing.nodes.has(node.id) && !state.metadata.indices.has(index)) {
      fail(indexNotRouted(index));
    }
    const copy = copyOn(routing, node.id, index, shard);
    if (copy === undefined) {
      const text = `can't cancel ${shard}, failed to find it on node ${describeNode(node)}`;
      return refuse(options, LABEL, text, illegal(`[cancel_allocation] ${text}`));
    }
    if (copy.primary && !allowPrimary && !isRelocationTarget(copy)) {
      const text = `can't cancel ${shard} on node ${describeNode(node)}, shard is primary and ${copy.state.toLowerCase()}`;
      return refuse(options, LABEL, text, illegal(`[cancel_allocation] ${text}`));
    }
    changesOf(allocation, copy).removedIds.add(defined(copy.allocationId, "allocation id"));
    failCopy(allocation, copy, {
      reason: "REROUTE_CANCELLED",
      atMs: inputs.nowMs,
      delayed: false,
      failedAllocations: 0,
      failedNodeIds: [],
      lastAllocationStatus: "no_attempt",
    });
    return decisionsOf(
      yes(LABEL, () => `shard ${shard} on node ${describeNode(node)} can be cancelled`),
    );
  },
};
