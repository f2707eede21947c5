/** Settings of traces and metrics as a plugin. */
export { telemetry } from "./plugin.ts";
