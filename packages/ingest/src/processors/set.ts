/** The processor `set`: sets a field. Source: `SetProcessor`. */
import type { ProcessorType } from "../processor-type.ts";

export const set: ProcessorType = {
  type: "set",
  create(options) {
    const field = options.template("field");
    const value = options.valueSource("value");
    const overrides = options.flag("override", true);
    const ignoresEmpty = options.flag("ignore_empty_value", false);
    return {
      process(document) {
        const path = field.render(document);
        if (!overrides && document.has(path) && document.get(path) !== null) return "kept";
        const next = value.valueFor(document);
        if (ignoresEmpty && value.isTemplate && next === "") return "kept";
        document.set(path, next);
        return "kept";
      },
    };
  },
};
