/** Whom a fault is done to. */
import { partsOf } from "../selectors.ts";
import type { NodeSelector, World } from "../world.ts";

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/** While a selector means nobody who is fit, such as between two cluster managers, it is waited for somebody. One who is named is known. */
export async function victimsOf(
  world: World,
  selector: NodeSelector,
  isFit: (node: string) => boolean = () => true,
): Promise<readonly string[]> {
  const nodes = world.nodes();
  const isNamed = partsOf(selector).every((one) => nodes.includes(one));
  const untilMs = isNamed ? 0 : world.nowMs() + (world.patienceMs ?? PATIENCE_MS);
  for (;;) {
    const found = (await world.select(selector)).filter(isFit);
    if (found.length > 0 || world.nowMs() >= untilMs) return found;
    await world.sleep(LOOK_EVERY_MS);
  }
}
