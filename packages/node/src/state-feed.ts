/**
 * What shard workers know of the cluster state: each is sent the slice of its node, whole at first and then what changes in it, in the
 * order of the states. A state whose slice is the same is not sent.
 */
import {
  encodeSliceChange,
  encodeState,
  indicesOn,
  repositoriesOf,
  sliceState,
  withNodeSettings,
  type ClusterState,
  type Settings,
} from "@orrery/cluster-state";
import type { WorkerMessage } from "@orrery/ports";
import { defined, type NodeId } from "@orrery/stdx";

export interface StateFeedOptions {
  readonly nodeId: NodeId;
  readonly settings: Settings;
  /** Numbers of the workers that run. */
  readonly running: () => ReadonlySet<number>;
  /** How many there are when all of them run. */
  readonly count: number;
  readonly startMissing: () => void;
  readonly post: (worker: number, message: WorkerMessage) => void;
  /** Every worker, if there is one, has made its copies agree with this state. */
  readonly onApplied: (state: ClusterState) => void;
}

export interface StateFeed {
  /** The state that workers follow. */
  readonly applied: ClusterState | undefined;
  follow(state: ClusterState): void;
  /** The worker has made its copies agree with the slice of this version. */
  taken(worker: number, version: number): void;
  /** The worker ended: its successor begins with a whole slice. */
  forget(worker: number): void;
}

export function createStateFeed(options: StateFeedOptions): StateFeed {
  const { nodeId, settings, post, onApplied } = options;
  let applied: ClusterState | undefined;
  /** The slice that workers were sent last; each change is one of it. */
  let sent: { readonly key: SliceKey; readonly slice: ClusterState } | undefined;
  /** Workers that have got it: one that is new gets the next slice whole. */
  const following = new Set<number>();
  /** Workers that have not applied it yet. */
  const waitingFor = new Set<number>();

  const send = (slice: ClusterState, before: ClusterState | undefined): void => {
    const whole = once(() => encodeState(slice));
    const change = once(() => encodeSliceChange(defined(before, "a slice before"), slice));
    for (const worker of options.running()) {
      waitingFor.add(worker);
      if (following.has(worker)) post(worker, { kind: "state-change", change: change() });
      else post(worker, { kind: "state", slice: whole() });
      following.add(worker);
    }
  };

  return {
    get applied() {
      return applied;
    },
    follow(state) {
      applied = state;
      const names = indicesOn(state, nodeId);
      const { size } = options.running();
      if (names.size === 0 && size === 0) {
        onApplied(state);
        return;
      }
      const key = sliceKey(state, names);
      const isComplete = size === options.count;
      if (isComplete && sent !== undefined && isSameSlice(sent.key, key)) {
        if (waitingFor.size === 0) onApplied(state);
        return;
      }
      options.startMissing();
      const before = sent?.slice;
      const slice = sliceState(withNodeSettings(state, settings), names);
      sent = { key, slice };
      send(slice, before);
    },
    taken(worker, version) {
      if (version === sent?.slice.version) waitingFor.delete(worker);
      if (applied !== undefined && waitingFor.size === 0) onApplied(applied);
    },
    forget(worker) {
      following.delete(worker);
      waitingFor.delete(worker);
    },
  };
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The parts of a state that a slice is made of: equal by identity means an equal slice. */
type SliceKey = readonly unknown[];

function sliceKey(state: ClusterState, names: ReadonlySet<string>): SliceKey {
  const parts: unknown[] = [
    state.nodes,
    state.managerNodeId,
    state.term,
    state.metadata.persistentSettings,
  ];
  parts.push(state.metadata.transientSettings, state.blocks.global);
  // Their generations are no shard's business, and change with every snapshot.
  for (const [name, { type, settings }] of repositoriesOf(state)) parts.push(name, type, settings);
  for (const name of names) {
    parts.push(
      state.metadata.indices.get(name),
      state.routingTable.get(name),
      state.blocks.indices.get(name),
    );
  }
  return parts;
}

function isSameSlice(a: SliceKey, b: SliceKey): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}
