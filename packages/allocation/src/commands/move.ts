/** `move`: relocates a started copy, unless a decider says NO (`MoveAllocationCommand`). */
import { describeNode } from "@orrery/cluster-state";
import { canAllocate } from "../deciders/ask.ts";
import { printDecisions } from "../decision.ts";
import { relocateCopy } from "../moves.ts";
import { resolveNode } from "../resolve-node.ts";
import { copyOn } from "../routing-nodes.ts";
import { illegal, refuse, type Command } from "./command.ts";
import { checkFields, shardField, textField } from "./fields.ts";

const LABEL = "move_allocation_command";

export const move: Command<"move"> = {
  parse(fields) {
    checkFields("move", fields, ["index", "shard", "from_node", "fromNode", "to_node", "toNode"]);
    const fromKey = "fromNode" in fields ? "fromNode" : "from_node";
    const toKey = "toNode" in fields ? "toNode" : "to_node";
    return {
      kind: "move",
      index: textField("move", fields, "index"),
      shard: shardField("move", fields),
      fromNode: textField("move", fields, fromKey),
      toNode: textField("move", fields, toKey),
    };
  },
  parameters: ({ index, shard, fromNode, toNode }) => ({
    index,
    shard,
    from_node: fromNode,
    to_node: toNode,
  }),
  execute(allocation, { index, shard, fromNode, toNode }, options) {
    const { routing, state } = allocation;
    const from = resolveNode(state, fromNode);
    const to = resolveNode(state, toNode);
    const target = routing.nodes.get(to.id);
    const copy = copyOn(routing, from.id, index, shard);
    const start = `[move_allocation] can't move ${shard}`;
    if (!routing.nodes.has(from.id) || target === undefined) {
      const other = routing.nodes.has(from.id) ? to : from;
      const reason = `[move_allocation] can't move [${index}][${shard}] from ${describeNode(from)} to ${describeNode(to)}: source [${describeNode(other)}] is not a data node.`;
      return refuse(options, LABEL, reason, illegal(reason));
    }
    if (copy === undefined) {
      const problem = illegal(`${start}, failed to find it on node ${describeNode(from)}`);
      return refuse(options, LABEL, `shard ${shard} not found`, problem);
    }
    if (copy.state !== "STARTED") {
      const problem = illegal(`${start}, shard is not started (state = ${copy.state}]`);
      return refuse(options, LABEL, `shard ${shard} has not been started`, problem);
    }
    const decisions = canAllocate(allocation, copy, target);
    if (decisions.type !== "NO") {
      relocateCopy(allocation, copy, to.id);
    } else if (!options.explain) {
      const where = `from ${describeNode(from)}, to ${describeNode(to)}`;
      const why = `since its not allowed, reason: ${printDecisions(decisions)}`;
      return refuse(options, LABEL, "", illegal(`${start}, ${where}, ${why}`));
    }
    return decisions;
  },
};
