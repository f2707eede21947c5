/**
 * `allocate_replica`: assigns an unassigned replica to a node, unless a decider says NO
 * (`AllocateReplicaAllocationCommand`).
 */
import { describeNode } from "@orrery/cluster-state";
import { canAllocate } from "../deciders/ask.ts";
import { printDecisions } from "../decision.ts";
import { initializeCopy } from "../moves.ts";
import { activePrimaryOf, rowOf } from "../routing-nodes.ts";
import { dataNode, illegal, isDecisions, refuse, refuseAllocate, type Command } from "./command.ts";
import { checkFields, shardField, textField } from "./fields.ts";
import { missingShard } from "./missing-shard.ts";

const NAME = "allocate_replica";

export const allocateReplica: Command<"allocate_replica"> = {
  parse(fields) {
    checkFields(NAME, fields, ["index", "shard", "node"]);
    return {
      kind: NAME,
      index: textField(NAME, fields, "index"),
      shard: shardField(NAME, fields),
      node: textField(NAME, fields, "node"),
    };
  },
  parameters: ({ index, shard, node }) => ({ index, shard, node }),
  execute(allocation, { index, shard, node: expression }, options) {
    const node = dataNode(allocation, expression, NAME, options);
    if (isDecisions(node)) return node;
    const missing = missingShard(allocation, index, shard, NAME, options);
    if (missing !== undefined) return missing;
    const { routing } = allocation;
    if (activePrimaryOf(routing, index, shard) === undefined) {
      const reason = `trying to allocate a replica shard [${index}][${shard}], while corresponding primary shard is still unassigned`;
      return refuseAllocate(options, NAME, reason);
    }
    const replica = rowOf(routing, index, shard).find(
      (copy) => !copy.primary && copy.state === "UNASSIGNED",
    );
    if (replica === undefined) {
      const reason = `all copies of [${index}][${shard}] are already assigned. Use the move allocation command instead`;
      return refuseAllocate(options, NAME, reason);
    }
    const decisions = canAllocate(allocation, replica, node);
    if (decisions.type !== "NO") {
      initializeCopy(allocation, replica, node.node.id);
    } else if (!options.explain) {
      const reason = `[${NAME}] allocation of [${index}][${shard}] on node ${describeNode(node.node)} is not allowed, reason: ${printDecisions(decisions)}`;
      return refuse(options, NAME, "", illegal(reason));
    }
    return decisions;
  },
};
