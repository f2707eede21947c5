/** `get_script_context`: the contexts that scripts are compiled for, with the methods of their classes. */
import { scriptContexts, type ScriptContext } from "@orrery/query";
import { compareText } from "@orrery/stdx";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const getScriptContext: Operation = defineOperation({
  group: "get_script_context",
  permission: "cluster:admin/script_context/get",
  routes: ["GET /_script_context"],
  query: {},
  deviations: [
    {
      kind: "behaviour",
      name: "contexts",
      reason: "lists only the contexts that are implemented: those of searches and aggregations",
    },
  ],
  handle: () => ({
    body: {
      contexts: Object.entries(scriptContexts)
        .toSorted(([a], [b]) => compareText(a, b))
        .map(([name, context]) => print(name, context)),
    },
  }),
});

function print(name: string, { methods }: ScriptContext): PrintableObject {
  return {
    name,
    methods: methods.map((method) => ({
      name: method.name,
      return_type: method.returns,
      params: method.parameters.map(({ type, name: called }) => ({ type, name: called })),
    })),
  };
}
