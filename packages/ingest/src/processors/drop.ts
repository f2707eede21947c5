/** The processor `drop`: drops the document. Source: `DropProcessor`. */
import type { ProcessorType } from "../processor-type.ts";

export const drop: ProcessorType = {
  type: "drop",
  create: () => ({ process: () => "dropped" }),
};
