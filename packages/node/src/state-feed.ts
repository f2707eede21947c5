/**
 * The feed of cluster states to shard workers: each is sent the slice of its node, whole at first, then as changes,
 * in the order of the states. A state with the same slice is not sent.
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
  /** The number of workers when all run. */
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
  /** A worker has made its copies agree with the slice of this version. */
  noteApplied(worker: number, version: number): void;
  /** A worker has ended; its successor is sent a whole slice. */
  forget(worker: number): void;
}

/** A feed that has sent no state. The first one is sent when a shard is assigned to the node or a worker runs. */
export function createStateFeed(options: StateFeedOptions): StateFeed {
  const { nodeId, settings, post, onApplied } = options;
  let applied: ClusterState | undefined;
  /** The slice that was sent last; each change is relative to it. */
  let sent: { readonly key: SliceKey; readonly slice: ClusterState } | undefined;
  /** Workers that have been sent it; others are sent the next slice whole. */
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
    noteApplied(worker, version) {
      if (version === sent?.slice.version) waitingFor.delete(worker);
      if (applied !== undefined && waitingFor.size === 0) onApplied(applied);
    },
    forget(worker) {
      following.delete(worker);
      waitingFor.delete(worker);
    },
  };
}

/** Encodes when it is first needed: a state may need only one of the two encodings. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The parts of a state that a slice is made of: parts that are equal by identity make an equal slice. */
type SliceKey = readonly unknown[];

function sliceKey(state: ClusterState, names: ReadonlySet<string>): SliceKey {
  const parts: unknown[] = [
    state.nodes,
    state.managerNodeId,
    state.term,
    state.metadata.persistentSettings,
  ];
  parts.push(state.metadata.transientSettings, state.blocks.global);
  // Repository generations change with every snapshot, and no shard uses them.
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
