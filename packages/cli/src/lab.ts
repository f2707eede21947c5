/** Product and checkers of this program, for reading and running plans. */
import { composeCheckers, type Lab } from "@orrery/scenario";
import { plugins } from "./plugins.ts";
import { product } from "./product.ts";

const added = await Promise.all(plugins.map(async (plugin) => (await plugin.checkers?.()) ?? []));

export const lab: Required<Lab> = { product, checkers: composeCheckers(added.flat()) };
