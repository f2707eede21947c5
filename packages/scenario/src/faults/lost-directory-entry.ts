/** Fault that cuts the power before a directory is synced, so that new names are lost. */
import { selector } from "../selectors.ts";
import { must } from "../shape.ts";
import { newClient, type NodeSelector, type World } from "../world.ts";
import { crashWith } from "./crash-with.ts";
import type { FaultRow } from "./fault.ts";

export interface LostDirectoryEntry {
  readonly kind: "lost-directory-entry";
  readonly node: NodeSelector;
}

export const lostDirectoryEntry: FaultRow<LostDirectoryEntry> = {
  family: "disk",
  says: "Cuts the power while indices are flushed, before directories are synced: files created or renamed since then are lost. The node starts again when the fault ends.",
  keys: { node: must(selector, "nodes whose disk is affected") },
  needs: ["crash", "lost-name"],
  draw: (scene) => ({ node: scene.node() }),
  inject: (fault, world) =>
    crashWith(
      world,
      fault.node,
      (node) => ({ kind: "lost-name", node }),
      (nodes) => flush(world, nodes),
    ),
};

const TIMEOUT_MS = 5000;

/** Flushes all indices, which creates files whose names are not durable. The answers are not awaited. */
function flush(world: World, nodes: readonly string[]): void {
  const client = newClient("flush");
  for (const node of nodes) {
    const request = { method: "POST", uri: "/_flush?force=true", timeoutMs: TIMEOUT_MS };
    void world.request(client, node, request);
  }
}
