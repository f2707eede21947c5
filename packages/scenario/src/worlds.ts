/**
 * Capabilities of each world. A plan that needs more is rejected before it runs, with the names of the missing ones.
 */
import {
  socketTransports,
  type Capability,
  type SocketTransport,
  type WorldName,
} from "./world.ts";

/** Capabilities of nodes with files: only these have a store whose bits can rot. */
const withFiles: readonly Capability[] = ["store-rot"];

const everywhere: readonly Capability[] = ["crash", "stop", "wipe", "add-node"];

const network: readonly Capability[] = [
  ...(["cut", "delay", "lose", "duplicate", "reorder"] as const),
  ...(["throttle", "reset", "drop", "reject"] as const),
];

const repositories: readonly Capability[] = [
  ...(["repository-slow", "repository-fails", "repository-full"] as const),
  ...(["repository-missing", "repository-corrupt"] as const),
];

/** Capabilities of live worlds, by signals and by decorators of the ports. */
const live: readonly Capability[] = [
  ...network,
  ...repositories,
  ...(["disk-full", "disk-slow", "sync-fails", "read-error", "bit-rot"] as const),
  ...(["torn-write", "lost-name", "lose-unsynced", "store-fails", "store-slow"] as const),
  ...(["pause", "slow", "clock-skew", "clock-jump", "clock-strobe", "trace"] as const),
];

/** Capabilities that only the simulator's models have so far. */
const modelled: readonly Capability[] = [
  ...(["thread-pause", "thread-slow", "short-turns", "worker-death"] as const),
  ...(["half-open", "half-reset"] as const),
  ...(["pages-lost", "sync-lies", "read-only", "misdirected-write"] as const),
];

/** Capabilities of each world. */
export const capabilities: { readonly [Name in WorldName]: ReadonlySet<Capability> } = {
  sim: new Set([...everywhere, ...live, ...withFiles, ...modelled]),
  memory: new Set([...everywhere, ...live]),
  ...betweenProcesses(new Set([...everywhere, ...live, ...withFiles])),
};

/** Capabilities between processes, which do not depend on their transport. */
function betweenProcesses(
  able: ReadonlySet<Capability>,
): Record<SocketTransport, ReadonlySet<Capability>> {
  const rows = socketTransports.map((name) => [name, able] as const);
  return Object.fromEntries(rows) as Record<SocketTransport, ReadonlySet<Capability>>;
}
