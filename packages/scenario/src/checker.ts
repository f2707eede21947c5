/**
 * Entry point for checkers of other packages: the type of a checker's row, the world it inspects, and readers of plans
 * and answers.
 */
export { at } from "./checkers/answers.ts";
export type { Answered, Asked, Checker, Finding } from "./checkers/checker.ts";
export { faultsOf } from "./checkers/faults-of.ts";
export { requestsOf } from "./checkers/requests-of.ts";
export { documentsOf, seqNoOf } from "./checkers/shard-documents.ts";
export { rowOf } from "./faults/table.ts";
export type { History } from "./history.ts";
export type { Plan } from "./plan.ts";
export type { NewsEvent } from "./watchers.ts";
export { newClient, type Client, type RecordedEvent, type World } from "./world.ts";
