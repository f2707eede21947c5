/** Internal state of nodes that only a simulation can read: operations that copies retain, and counts of resources. */
import type { Simulation } from "@orrery/simulator";
import { isJsonObject, type Json } from "@orrery/stdx";
import type { Work } from "@orrery/ports";
import type { CopyHistory, Wait } from "./world.ts";

/** Histories as any of these nodes collects them; empty if the index is closed, or no node answers. */
export async function historiesIn(
  simulation: Simulation,
  nodes: readonly string[],
  index: string,
): Promise<readonly CopyHistory[]> {
  const cluster = nodes.flatMap((node) => simulation.cluster(node) ?? [])[0];
  if (cluster === undefined) return [];
  const { answers } = await cluster.shardStats({
    indices: [index],
    indicesOptions: {
      ignoreUnavailable: true,
      allowNoIndices: true,
      expandOpen: true,
      expandClosed: false,
      expandHidden: true,
      forbidClosedIndices: true,
      allowAliasesToMultipleIndices: true,
      ignoreAliases: false,
    },
    parameters: { history: true },
  });
  const names = cluster.state().nodes;
  return answers.flatMap(({ shard, nodeId, body }): CopyHistory[] => {
    const { history } = body;
    const node = [...names].find(([id]) => String(id) === nodeId)?.[1].name;
    if (!isJsonObject(history) || node === undefined) return [];
    const { from_seq_no: from, operations } = history;
    const all = Array.isArray(operations) ? (operations as readonly Json[]) : [];
    return [
      {
        shard,
        node,
        fromSeqNo: Number(from),
        operations: new Map(
          all.map((one) => [Number(Array.isArray(one) ? one[0] : -1), JSON.stringify(one)]),
        ),
      },
    ];
  });
}

/** Sizes of a node's resources by name, for the checker of growth. */
export function figuresOf(
  simulation: Simulation,
  nodes: readonly string[],
): ReadonlyMap<string, number> {
  const figures = new Map([["timers", simulation.queue.waiting]]);
  for (const node of nodes) {
    const { files, bytes } = simulation.disk(node).usage();
    figures.set(`files of ${node}`, files);
    figures.set(`bytes of ${node}`, bytes);
    figures.set(`${LOG_ENTRIES} of ${node}`, simulation.store(node).entries());
    figures.set(`listeners of ${node}`, simulation.stateListeners(node));
    const work = simulation.work(node);
    for (const [kind, says] of Object.entries(SAYS)) {
      const count = work.filter((one) => one.kind === kind).length;
      figures.set(`${says} of ${node}`, count);
    }
  }
  return figures;
}

/** Name of the figure that counts entries of the Raft log on a node's disk. */
export const LOG_ENTRIES = "log entries";

const SAYS: Readonly<Record<Work["kind"], string>> = {
  request: "open requests",
  answer: "open answers",
  permit: "held permits",
  block: "blocks of copies",
  queued: "operations behind blocks",
  state: "waits for a state",
};

/** Pending client requests and work of nodes, each with a unique name. */
export function workIn(
  simulation: Simulation,
  nodes: readonly string[],
  waits: readonly Wait[],
): ReadonlySet<string> {
  const asked = waits.flatMap(({ client, request, node, operation, answeredMs }) =>
    answeredMs === undefined ? [`${operation}, request ${request} of ${client} to ${node}`] : [],
  );
  const begun = nodes.flatMap((node) =>
    simulation.work(node).map(({ kind, name }) => `${kind} ${name} of ${node}`),
  );
  return new Set([...asked, ...begun]);
}
