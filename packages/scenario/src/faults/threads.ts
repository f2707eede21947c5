/** Keys of faults that affect one thread of a node. */
import type { Scene } from "../explore/scene.ts";
import { integer, must, or, type Keys } from "../shape.ts";
import { selector } from "../selectors.ts";
import type { NodeSelector } from "../world.ts";

export interface ThreadChoice {
  readonly node: NodeSelector;
  /** Number of the thread: 0 is the main thread, the others are shard workers. */
  readonly thread: number;
}

export const threadKeys: Keys<ThreadChoice> = {
  node: must(selector, "nodes whose thread is affected"),
  thread: or(
    integer(0, 64),
    1,
    "number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]",
  ),
};

/** Draws a thread, mostly an existing shard worker. */
export function drawThread(scene: Scene): ThreadChoice {
  return { node: scene.node(), thread: scene.chance(350) ? 0 : scene.random.int(1, 2) };
}
