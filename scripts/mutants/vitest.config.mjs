/** The tests as ever, but some sources have other texts: `ORRERY_MUTANT` is a file of pairs of path and text. */
import { readFileSync } from "node:fs";
import { mergeConfig } from "vitest/config";
import base from "../../vitest.config.ts";

const texts = new Map(JSON.parse(readFileSync(process.env.ORRERY_MUTANT, "utf8")));

export default mergeConfig(base, {
  plugins: [{ name: "mutant", enforce: "pre", load: (id) => texts.get(id.split("?")[0]) }],
});
