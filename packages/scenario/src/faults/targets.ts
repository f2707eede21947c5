/** Selection of the nodes that a fault affects. */
import { partsOf } from "../selectors.ts";
import type { NodeSelector, World } from "../world.ts";

const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 100;

/**
 * Nodes that the selector matches. While it matches none, such as between two elections, the call waits for up to
 * `patienceMs`; a node's name never has to be waited for.
 */
export async function targetsOf(
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
