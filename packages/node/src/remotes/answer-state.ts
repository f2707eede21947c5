/** The cluster state as nodes of other clusters request it (`ClusterStateAction`), to find nodes and indices. */
import { matchesGlob } from "@orrery/stdx";
import { encodeState, sliceState, type ClusterState } from "@orrery/cluster-state";
import type { Transport } from "@orrery/ports";
import { actions, NodeRequest, readWireObject } from "@orrery/protocol";

export interface AnswerStateDeps {
  readonly transport: Transport;
  state(): ClusterState;
  managerState(timeoutMs: number): Promise<ClusterState>;
}

const MANAGER_TIMEOUT_MS = 30_000;

/**
 * Answers with the nodes as this node knows them, and with indices whose name or alias matches a pattern, as the
 * elected cluster manager has them.
 */
export function answerState({ transport, state, managerState }: AnswerStateDeps): void {
  transport.handle(actions.clusterState, async (payload) => {
    const { patterns } = readWireObject(NodeRequest.decode(payload).parameters) as {
      readonly patterns: readonly string[];
    };
    const current = patterns.length === 0 ? state() : await managerState(MANAGER_TIMEOUT_MS);
    const names = [...current.metadata.indices.values()].flatMap(({ name, aliases }) => {
      const isMeant = patterns.some(
        (pattern) =>
          matchesGlob(pattern, name) ||
          [...aliases.keys()].some((alias) => matchesGlob(pattern, alias)),
      );
      return isMeant ? [name] : [];
    });
    return encodeState(sliceState(current, new Set(names)));
  });
}
