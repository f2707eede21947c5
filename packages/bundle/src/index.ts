/**
 * Run bundles: one SQLite file for each run, written atomically, queried with SQL, printed as a
 * trace, rendered as a report.
 */
export { openBundle, type Bundle } from "./reader.ts";
export { causeOf, type Cause, type Link } from "./cause/cause.ts";
export { createEvidence, type Evidence } from "./cause/evidence.ts";
export type { EventFilter } from "./filter.ts";
export { renderReport } from "./report/report.ts";
export { FORMAT_VERSION } from "./schema.ts";
export type { TraceFormatName } from "./trace/format.ts";
export { printTrace, traceFormats } from "./trace/table.ts";
export type { Moment } from "./story/moment.ts";
export { createStory, type EndedStory, type Story } from "./story/story.ts";
export { counted, secondsOf } from "./story/words.ts";
export { lineOf } from "./trace/text.ts";
export type { ObservedCopy, ObservedState, RunIdentity, RunOutcome } from "./types.ts";
export { createBundle, type BundleWriter } from "./writer.ts";
