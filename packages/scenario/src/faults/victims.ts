/** Whom a fault is done to. */
import type { NodeSelector, World } from "../world.ts";

const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** While a selector means nobody, such as between two cluster managers, it is waited for somebody. */
export async function victimsOf(world: World, selector: NodeSelector): Promise<readonly string[]> {
  const untilMs = world.nowMs() + PATIENCE_MS;
  for (;;) {
    const found = await world.select(selector);
    if (found.length > 0 || world.nowMs() >= untilMs) return found;
    await world.sleep(LOOK_EVERY_MS);
  }
}
