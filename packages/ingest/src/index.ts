/** Ingest pipelines: processor types as rows, pipelines compiled from definitions, and their execution on documents. */
export { coreProcessors } from "./core-processors.ts";
export { IngestDocument, METADATA, type Metadata, type MetadataName } from "./document.ts";
export { configurationProblem, Options, type ValueSource } from "./options.ts";
export { createPipeline, type Pipeline } from "./pipeline.ts";
export { pipelineMissing, PipelineTable, type Definitions } from "./pipeline-table.ts";
export {
  composeProcessors,
  type Processor,
  type ProcessorRun,
  type ProcessorType,
  type ProcessorTypes,
  type Verdict,
} from "./processor-type.ts";
export { runPipeline, type RunInput } from "./run-pipeline.ts";
export type { Template, TemplateModel } from "./template.ts";
export {
  classCast,
  isTreeObject,
  javaText,
  printTree,
  readMap,
  type Tree,
  type TreeObject,
} from "./tree.ts";
