/**
 * Progress and configurations as log lines and transcripts print them (`Progress.String`, `Config.String` of
 * etcd-io/raft).
 */
import { inflightCount, isFull } from "./inflights.ts";
import { isPaused, type Progress } from "./progress.ts";
import { ascending, type Halves } from "./quorum.ts";
import type { Configuration, ProgressStatus } from "./types.ts";

export function describeProgress(progress: Progress): string {
  return describeProgressStatus({
    ...progress,
    isPaused: isPaused(progress),
    inflightCount: inflightCount(progress.inflights),
    isInflightFull: isFull(progress.inflights),
  });
}

export function describeProgressStatus(progress: ProgressStatus): string {
  const { state, match, next, inflightCount: inflight } = progress;
  let line = `${state} match=${match} next=${next}`;
  if (progress.isLearner) line += " learner";
  if (progress.isPaused) line += " paused";
  if (progress.pendingSnapshot > 0) line += ` pendingSnap=${progress.pendingSnapshot}`;
  if (!progress.recentActive) line += " inactive";
  if (inflight > 0) line += ` inflight=${inflight}${progress.isInflightFull ? "[full]" : ""}`;
  return line;
}

export function describeConfiguration(configuration: Configuration): string {
  const { learners, learnersNext, autoLeave } = configuration;
  let line = `voters=${describeHalves(configuration)}`;
  if (learners.size > 0) line += ` learners=${describeIds(learners)}`;
  if (learnersNext.size > 0) line += ` learners_next=${describeIds(learnersNext)}`;
  return autoLeave ? `${line} autoleave` : line;
}

export function describeHalves({ incoming, outgoing }: Halves): string {
  return outgoing.size === 0
    ? describeIds(incoming)
    : `${describeIds(incoming)}&&${describeIds(outgoing)}`;
}

export function describeIds(ids: Iterable<number>): string {
  return `(${ascending(ids).join(" ")})`;
}
