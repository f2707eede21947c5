/** Statistics of shard copies for cat tables, by copy and by index. */
import { lookup } from "@orrery/stdx";
import { indicesOptions, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { Cluster, ShardAnswers } from "@orrery/node";
import type { PrintableObject } from "../json/printable.ts";
import { sectionsOf } from "../stats/metrics.ts";
import { sumSections } from "../stats/sum.ts";

/** Statistics of one shard copy. */
export type CopyAnswer = ShardAnswers["answers"][number];

/** Statistics of the copies of open indices among `names`. A copy that does not answer is absent. */
export async function copyStats(
  cluster: Cluster,
  state: ClusterState,
  names: readonly string[],
): Promise<readonly CopyAnswer[]> {
  const open = names.filter((name) => state.metadata.indices.get(name)?.state === "open");
  if (open.length === 0) return [];
  const { answers } = await cluster.shardStats({
    indices: open,
    indicesOptions: indicesOptions.lenientExpandOpenHidden,
    parameters: {},
  });
  return answers;
}

/** Statistics summed over the copies; `undefined` without any copy. */
export function statsOf(answers: readonly CopyAnswer[]): PrintableObject | undefined {
  if (answers.length === 0) return undefined;
  return sumSections(
    answers.map(({ body }) => body),
    sectionsOf(undefined),
  );
}

/** The statistics of one copy; `undefined` when it has not answered. */
export function answerOf(
  answers: readonly CopyAnswer[],
  copy: ShardRouting,
): CopyAnswer | undefined {
  return answers.find(
    (answer) =>
      answer.index === copy.index && answer.shard === copy.shard && answer.nodeId === copy.nodeId,
  );
}

/** A counter by section and name; `undefined` when the statistics lack it. */
export function counter(
  stats: PrintableObject | undefined,
  section: string,
  name: string,
): number | undefined {
  const part = lookup(stats, section) as PrintableObject | undefined;
  const value = lookup(part, name);
  return typeof value === "number" ? value : undefined;
}
