/** The processor `pipeline`: runs another pipeline on the document. Source: `PipelineProcessor`. */
import type { ProcessorType } from "../processor-type.ts";

export const pipeline: ProcessorType = {
  type: "pipeline",
  create(options) {
    const name = options.template("name");
    return { process: (document, run) => run.runPipeline(name.render(document)) };
  },
};
