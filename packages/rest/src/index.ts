/** REST operations over a node: `dispatch` answers one request, with the one look-up inside. No HTTP server. */
export { dispatch } from "./dispatch.ts";
export { operations } from "./operations/table.ts";
export { version, warningHeader } from "./product.ts";
export type { Answer, Deviation, Operation, Route } from "./operation.ts";
export type { RestRequest, RestResponse } from "./types.ts";
