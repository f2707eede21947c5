/** An engine over a crash disk, with documents that have one keyword field. */
import type { Mapping, ParsedDocument } from "@orrery/query";
import { noLeases, type RetentionLeases } from "@orrery/replication";
import { coreSegmentParts, type FieldSpec } from "@orrery/segment";
import { createRandom, problemOf, utf8Decode, utf8Encode, type Problem } from "@orrery/stdx";
import { readDocument } from "../src/engine/get.ts";
import { flush } from "../src/engine/flush.ts";
import { createEmptyEngine, openEngine, readCommits, replay } from "../src/engine/open.ts";
import { deleteOnPrimary, indexOnPrimary } from "../src/engine/operations.ts";
import {
  noCondition,
  type EngineOptions,
  type EngineState,
  type WriteCondition,
} from "../src/engine/types.ts";
import { shardPaths } from "../src/store/layout.ts";
import type { Operation } from "../src/translog/record.ts";
import { createCrashDisk, type CrashDisk } from "./crash-disk.ts";
import { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";

const field: FieldSpec = {
  name: "text",
  type: "keyword",
  index: "docs",
  norms: false,
  docValues: true,
  points: false,
};

export function parse(source: Uint8Array): ParsedDocument {
  return {
    fields: [{ field, value: utf8Decode(source) }],
    children: [],
    mappingUpdate: undefined,
    source,
  };
}

export function parseOperation(operation: Operation): ParsedDocument {
  return parse(operation.source ?? new Uint8Array(0));
}

export interface Fixture {
  readonly disk: CrashDisk;
  readonly clock: VirtualClock;
  readonly options: EngineOptions;
  readonly failures: Problem[];
  globalCheckpoint: number;
  leases: RetentionLeases;
}

export function createFixture(disk: CrashDisk = createCrashDisk(), seed = "engine"): Fixture {
  const clock = createVirtualClock();
  const failures: Problem[] = [];
  const fixture: Fixture = {
    disk,
    clock,
    failures,
    globalCheckpoint: -1,
    leases: noLeases,
    options: {
      disk,
      paths: shardPaths("uuid", 0),
      clock,
      random: createRandom(seed),
      index: "books",
      indexUuid: "uuid",
      shard: 0,
      segmentParts: coreSegmentParts,
      settings: () => ({
        gcDeletesMs: 60_000,
        flushThresholdBytes: 512 * 1024 * 1024,
        generationThresholdBytes: 64 * 1024 * 1024,
        maxRefreshListeners: 1000,
        bufferBytes: 48 * 1024 * 1024,
        maxMergedSegmentBytes: 5 * 1024 ** 3,
        segmentsPerTier: 10,
        retentionOperations: 0,
      }),
      mapping: () => ({ json: {} }) as unknown as Mapping,
      globalCheckpoint: () => fixture.globalCheckpoint,
      leases: () => fixture.leases,
      onFailed: (problem) => void failures.push(problem),
      onUnforeseen: (error) => problemOf(error),
      onPersisted: () => undefined,
      onTrimmed: () => undefined,
    },
  };
  return fixture;
}

export async function newEngine(fixture: Fixture): Promise<EngineState> {
  const engine = createEmptyEngine(fixture.options, { primaryTerm: 1 });
  await flush(engine, { force: true, waitIfOngoing: true });
  return engine;
}

/** As a restarted primary does: the newest commit, and all of the translog. */
export async function reopen(fixture: Fixture): Promise<EngineState> {
  const commits = readCommits(fixture.disk, fixture.options.paths);
  const { engine, toReplay } = openEngine(fixture.options, { primaryTerm: 1 }, commits);
  replay(engine, toReplay, parseOperation);
  await engine.translog.sync();
  return engine;
}

export function put(
  engine: EngineState,
  id: string,
  text: string,
  condition: Partial<WriteCondition> = {},
  isNew = false,
) {
  const source = utf8Encode(text);
  return indexOnPrimary(engine, engine.primaryTerm, {
    id,
    routing: undefined,
    source,
    parsed: parse(source),
    condition: { ...noCondition, ...condition },
    isNew,
  });
}

export function remove(engine: EngineState, id: string, condition: Partial<WriteCondition> = {}) {
  return deleteOnPrimary(engine, engine.primaryTerm, {
    id,
    condition: { ...noCondition, ...condition },
  });
}

export function read(engine: EngineState, id: string, isRealtime = true): string | undefined {
  const found = readDocument(engine, id, isRealtime);
  return found?.source === undefined ? undefined : utf8Decode(found.source);
}
