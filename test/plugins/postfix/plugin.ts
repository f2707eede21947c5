/** A sample plugin with a script engine. */
import type { Plugin } from "@orrery/node";
import { postfixEngine } from "./engine.ts";

const name = "opensearch-postfix";

export const postfix: Plugin = {
  name,
  description: "Postfix: scripts in the language [postfix]",
  classname: "org.orrery.postfix.PostfixPlugin",
  shards: { name, language: { scriptEngines: { postfix: postfixEngine } } },
};
