/** Whom a fault is done to. */
import type { NodeSelector, World } from "../world.ts";

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** While a selector means nobody who is fit, such as between two cluster managers, it is waited for somebody. One who is named is known. */
export async function victimsOf(
  world: World,
  selector: NodeSelector,
  isFit: (node: string) => boolean = () => true,
): Promise<readonly string[]> {
  const isNamed = world.nodes().includes(selector);
  const untilMs = isNamed ? 0 : world.nowMs() + (world.patienceMs ?? PATIENCE_MS);
  for (;;) {
    const found = (await world.select(selector)).filter(isFit);
    if (found.length > 0 || world.nowMs() >= untilMs) return found;
    await world.sleep(LOOK_EVERY_MS);
  }
}
