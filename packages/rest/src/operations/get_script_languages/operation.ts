/** `get_script_languages`: script languages with their contexts, and the types of scripts that are enabled. */
import { scriptSettingsOf } from "@orrery/cluster-state";
import { compareText } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";

const TYPES = ["inline", "stored"];

export const getScriptLanguages: Operation = defineOperation({
  group: "get_script_languages",
  permission: "cluster:admin/script_language/get",
  routes: ["GET /_script_language"],
  query: {},
  deviations: [
    {
      kind: "behaviour",
      name: "language_contexts",
      reason: "painless and mustache are not implemented: scripts in these languages are rejected",
    },
  ],
  handle: (_, cluster) => {
    const { allowedTypes, allowedContexts } = scriptSettingsOf(
      cluster.withOwnSettings(cluster.state()),
    );
    const engines = [...cluster.product.language.scriptEngines];
    return {
      body: {
        types_allowed: TYPES.filter((type) => allowedTypes?.includes(type) !== false),
        language_contexts: engines
          .toSorted(([a], [b]) => compareText(a, b))
          .map(([language, { contexts }]) => ({
            language,
            contexts: contexts
              .filter((context) => allowedContexts?.includes(context) !== false)
              .toSorted(compareText),
          })),
      },
    };
  },
});
