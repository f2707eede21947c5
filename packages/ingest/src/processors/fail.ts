/** The processor `fail`: fails the document with a message. Source: `FailProcessor`. */
import { fail } from "@orrery/stdx";
import type { ProcessorType } from "../processor-type.ts";

export const failing: ProcessorType = {
  type: "fail",
  create(options) {
    const message = options.template("message");
    return {
      process: (document) =>
        fail({ type: "fail_processor_exception", reason: message.render(document), status: 500 }),
    };
  },
};
