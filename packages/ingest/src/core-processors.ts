/** Processor types of the core. To add one: a file in `processors`, and a row here. */
import type { ProcessorType } from "./processor-type.ts";
import { drop } from "./processors/drop.ts";
import { failing } from "./processors/fail.ts";
import { pipeline } from "./processors/pipeline.ts";
import { remove } from "./processors/remove.ts";
import { rename } from "./processors/rename.ts";
import { set } from "./processors/set.ts";

export const coreProcessors: readonly ProcessorType[] = [
  drop,
  failing,
  pipeline,
  remove,
  rename,
  set,
];
