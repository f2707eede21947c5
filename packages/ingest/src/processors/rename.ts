/** The processor `rename`: moves a value to another field. Source: `RenameProcessor`. */
import { illegalArgument } from "@orrery/stdx";
import type { ProcessorType } from "../processor-type.ts";

export const rename: ProcessorType = {
  type: "rename",
  create(options) {
    const field = options.template("field");
    const targetField = options.template("target_field");
    const ignoresMissing = options.flag("ignore_missing", false);
    const overrides = options.flag("override_target", false);
    return {
      process(document) {
        const path = field.render(document);
        if (path === "" || !document.hasInRange(path)) {
          if (ignoresMissing) return "kept";
          const reason =
            path === "" ? "field path cannot be null nor empty" : `field [${path}] doesn't exist`;
          throw illegalArgument(reason);
        }
        const target = targetField.render(document);
        // A target out of range of its list fails here, before the value is removed from the source field.
        if (document.hasInRange(target) && !overrides)
          throw illegalArgument(`field [${target}] already exists`);
        const value = document.get(path);
        document.remove(path);
        try {
          document.set(target, value);
        } catch (error) {
          document.set(path, value);
          throw error;
        }
        return "kept";
      },
    };
  },
};
