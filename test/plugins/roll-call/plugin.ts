/**
 * Roll call in small, as a plugin: the elected cluster manager writes the names of the nodes into the cluster state whenever a node comes or
 * goes, with the term in which it did.
 *
 * The writer is a service of the term: it begins on the node that is elected, and ends with the term. What it did on a node is a section of
 * `_nodes/stats`, and what is written a section of `_nodes`. See docs/reference/plugins.md.
 */
import { customOf, updated, withCustom, type ClusterState, type Task } from "@orrery/cluster-state";
import type { Plugin, PluginNode, PluginTermService } from "@orrery/node";
import { isJsonObject, OperationError, type JsonObject, type ValueKey } from "@orrery/stdx";

const SECTION = "roll_call";

interface Service {
  /** Of the service that is under way. */
  term?: number;
  begun: number;
  ended: number;
  calls: number;
  /** How often Raft, or the set of connected nodes, was told to have changed. */
  changes: number;
}

const service: ValueKey<Service> = {
  name: "roll call",
  create: () => ({ begun: 0, ended: 0, calls: 0, changes: 0 }),
};

function namesIn({ nodes }: ClusterState): string {
  return [...nodes.values()]
    .map(({ name }) => name)
    .toSorted()
    .join(",");
}

function written(state: ClusterState): JsonObject {
  const section = customOf(state, SECTION);
  return isJsonObject(section) ? section : {};
}

function callRoll({ cluster, kept }: PluginNode, term: number): PluginTermService {
  const counts = kept.of(service);
  let isCalling = false;
  let isOver = false;
  counts.begun += 1;
  counts.term = term;

  const call = async (state: ClusterState): Promise<void> => {
    const names = namesIn(state);
    if (isCalling || isOver || written(state)["names"] === names) return;
    isCalling = true;
    counts.calls += 1;
    const task: Task = { kind: "plugin-task", name: "roll-call/write", body: { names, term } };
    try {
      await cluster.submit(task);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      cluster.log("warn", `the roll was not written: ${error.problem.type}`);
    }
    isCalling = false;
    await call(cluster.state());
  };

  return {
    applied: (state) => void call(state),
    changed: () => void (counts.changes += 1),
    end: () => {
      isOver = true;
      counts.ended += 1;
      delete counts.term;
    },
  };
}

export const rollCall: Plugin = {
  name: "roll-call",
  description: "Writes down who is there.",
  classname: "orrery.RollCall",
  reducers: {
    "roll-call/write": (state, body) => updated(withCustom(state, SECTION, body)),
  },
  termServices: [callRoll],
  statsSections: [{ name: SECTION, read: ({ kept }) => ({ ...kept.of(service) }) }],
  infoSections: [{ name: SECTION, read: ({ cluster }) => written(cluster.state()) }],
};
