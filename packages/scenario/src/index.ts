/** Scenarios as data: plan, workloads, faults, checkers, and the run that judges them. */
export { applicableCheckers, judgesOf } from "./checkers/applying.ts";
export type { Checker } from "./checkers/checker.ts";
export { composeCheckers, coreCheckers, type Checkers } from "./checkers/compose.ts";
export { inject } from "./faults/table.ts";
export type { Fault, Injected } from "./faults/fault.ts";
export { faultHelp, readFaultRequest, type FaultHelp, type FaultKeyHelp } from "./fault-request.ts";
export { eventKindNames } from "./event-kinds.ts";
export { newHistory } from "./history.ts";
export { refusalOf, waitsForDetails } from "./refuse.ts";
export { createRoster, type Roster } from "./roster.ts";
export { selectNodes, selectorNames } from "./selectors.ts";
export { createSimulatedWorld, firstManager } from "./simulated-world.ts";
export { newRunResult, executePlan, watchRun, type RunResult } from "./execute-plan.ts";
export { viewOf } from "./view.ts";
export { createWatchers, type NewsEvent, type Watchers } from "./watchers.ts";
export type {
  Capability,
  Client,
  ClientAnswer,
  ClientRequest,
  ClusterView,
  AppliedRule,
  RecordedEvent,
  SocketTransport,
  World,
  WorldName,
} from "./world.ts";
export { newClient, socketTransports, worldNames } from "./world.ts";
export { capabilities } from "./worlds.ts";
export { buildScenario } from "./builder.ts";
export type {
  Entry as ScenarioEntry,
  Scenario,
  TimedFault as ScenarioFault,
  Workload as ScenarioWorkload,
} from "./generated/scenario.ts";
export { concernsOf, type PlacedConcern } from "./concerns.ts";
export { LARGEST_FILE_BYTES, type FileText, type ReadFile } from "./data-file.ts";
export { parsePlan, parseScenario } from "./parse.ts";
export type { Lab, ParserInputs } from "./shape.ts";
export { writePlan } from "./plan-shape.ts";
export type { ClusterPlan, NodePlan, Plan } from "./plan.ts";
export type { OnState } from "./observe.ts";
export { printScenario } from "./print.ts";
export { judgeRun, runScenario } from "./run.ts";
export { shrink, type Failure } from "./shrink/shrink.ts";
export type { Finding, Subject, Verdict } from "./verdict.ts";
export type { Specimen } from "./explore/corpus.ts";
export type { MomentCounts } from "./explore/moments.ts";
export {
  createExplorer,
  readSketch,
  runTrial,
  writeSketch,
  type Explorer,
  type Trial,
} from "./explore/explorer.ts";
export { complaintOf, groupOf } from "./explore/group.ts";
export { areas, type Area } from "./explore/scene.ts";
export { shrinkSketch } from "./explore/shrink-sketch.ts";
export type { Sketch, SketchWords } from "./explore/sketch.ts";
