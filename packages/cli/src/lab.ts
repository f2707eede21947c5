/** The lab of this program: what the nodes of a run are made of, and the checkers that a plan may name. */
import { composeCheckers, type Lab } from "@orrery/scenario";
import { plugins } from "./plugins.ts";
import { product } from "./product.ts";

const added = await Promise.all(plugins.map(async (plugin) => (await plugin.checkers?.()) ?? []));

export const lab: Required<Lab> = { product, checkers: composeCheckers(added.flat()) };
