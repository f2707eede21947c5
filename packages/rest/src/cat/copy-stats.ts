/** Statistics of shard copies for tables: by copy and by index, zeros filled in. */
import { lookup } from "@orrery/stdx";
import { indicesOptions, type ClusterState, type ShardRouting } from "@orrery/cluster-state";
import type { Cluster, ShardAnswers } from "@orrery/node";
import type { PrintableObject } from "../json/printable.ts";
import { sectionsOf } from "../stats/metrics.ts";
import { sumSections } from "../stats/sum.ts";

export type CopyAnswer = ShardAnswers["answers"][number];

/** Of the open ones among these indices; copies that do not answer are missing. */
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

export function statsOf(answers: readonly CopyAnswer[]): PrintableObject | undefined {
  if (answers.length === 0) return undefined;
  return sumSections(
    answers.map(({ body }) => body),
    sectionsOf(undefined),
  );
}

export function answerOf(
  answers: readonly CopyAnswer[],
  copy: ShardRouting,
): CopyAnswer | undefined {
  return answers.find(
    (answer) =>
      answer.index === copy.index && answer.shard === copy.shard && answer.nodeId === copy.nodeId,
  );
}

/** A counter by its path. */
export function counter(
  stats: PrintableObject | undefined,
  section: string,
  name: string,
): number | undefined {
  const part = lookup(stats, section) as PrintableObject | undefined;
  const value = lookup(part, name);
  return typeof value === "number" ? value : undefined;
}
