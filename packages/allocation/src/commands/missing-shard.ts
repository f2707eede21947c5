/** The refusal of a command for an index or shard that does not exist. */
import type { Allocation } from "../allocation.ts";
import type { Decisions } from "../decision.ts";
import { indexNotRouted } from "../index-not-routed.ts";
import { rowOf } from "../routing-nodes.ts";
import type { CommandsOptions } from "../types.ts";
import { refuse } from "./command.ts";

/** The refusal of a command whose shard does not exist; `undefined` when it does. */
export function missingShard(
  { routing, state }: Allocation,
  index: string,
  shard: number,
  name: string,
  options: CommandsOptions,
): Decisions | undefined {
  const label = `${name} (allocation command)`;
  const metadata = state.metadata.indices.get(index);
  if (metadata === undefined || !state.routingTable.has(index)) {
    return refuse(options, label, `no such index [${index}]`, indexNotRouted(index));
  }
  if (rowOf(routing, index, shard).length > 0) return undefined;
  return refuse(options, label, "no such shard", {
    type: "shard_not_found_exception",
    reason: "no such shard",
    status: 404,
    metadata: { index, shard: String(shard), index_uuid: metadata.uuid },
  });
}
