/** The Network port inside one process. */
export type { Schedule } from "./connection.ts";
export { createMemoryHub, type MemoryHub, type MemoryHubOptions } from "./hub.ts";
