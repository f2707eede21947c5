/** REST operations over a node: `dispatch` serves one request, routing included. No HTTP server. */
export { bodyOf, dispatch } from "./dispatch.ts";
export { createIndexValidator, type IndexValidator } from "./operations/indices.create/plan.ts";
export { operations } from "./operations/table.ts";
export { version, warningHeader } from "./product.ts";
export type { Answer, Deviation, Operation, Route } from "./operation.ts";
export type { RestRequest, RestResponse } from "./types.ts";

// Building blocks for the operations of plugins.
export { missingBody, missingBodyOrSource } from "./body.ts";
export type { Content } from "./content.ts";
export { acknowledgedParameters, submitOptions } from "./indices/acknowledged.ts";
export type { Printable, PrintableObject } from "./json/printable.ts";
export { defineOperation, type BodyParser } from "./operation.ts";
export { flag, managerTimeout, managerTimeoutMs } from "./parameters.ts";
export { validate } from "./validation.ts";
