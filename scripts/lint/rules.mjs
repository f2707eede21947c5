/** The house rules, as a plugin of oxlint. */
import { clientKeys } from "./client-keys.mjs";
import { functionLength } from "./function-length.mjs";
import { innerGenerators } from "./inner-generators.mjs";
import { moduleHeader } from "./module-header.mjs";
import { spreadArguments } from "./spread-arguments.mjs";

export default {
  meta: { name: "orrery" },
  rules: {
    "client-keys": clientKeys,
    "function-length": functionLength,
    "inner-generators": innerGenerators,
    "module-header": moduleHeader,
    "spread-arguments": spreadArguments,
  },
};
