/** The real Host: clocks, random streams, files and SQLite, log, process statistics, shard workers in threads. */
export { createClock } from "./clock.ts";
export { createNodeHost, type NodeHostOptions, type OwnPorts } from "./host.ts";
export {
  createInlineShardWorkers,
  type WorkerProgram,
  type WorkerWorld,
} from "./inline-shard-workers.ts";
export { collectWhenIdle } from "./idle-collector.ts";
export { createLog } from "./log.ts";
export { createProcessInfo } from "./process-info.ts";
export { createRandomStreams } from "./random.ts";
export { createTrust, type TrustSecrets } from "./trust.ts";
export { runInThread, type ThreadPorts } from "./thread-host.ts";
export {
  createThreadShardWorkers,
  type ThreadShardWorkersOptions,
} from "./thread-shard-workers.ts";
