/** Moment of a run: one thing that happened, in a sentence, with the nodes and shards that it concerns. */
import type { ObservedState, RecordedEvent } from "../types.ts";

export type MomentKind =
  | "nodes"
  | "election"
  | "membership"
  | "fault"
  | "index"
  | "primary"
  | "health"
  | "recovery"
  | "requests"
  | "step"
  | "snapshot"
  | "zone"
  | "following"
  | "lease"
  | "damage"
  | "finding";

export interface Moment {
  readonly atMs: number;
  readonly kind: MomentKind;
  readonly says: string;
  readonly nodes: readonly string[];
  /** Shards in the form `index/number`. */
  readonly shards: readonly string[];
}

/** Moment that is a candidate for a story. Equal moments in quick succession become one, which lists their parts. */
export interface Candidate {
  readonly atMs: number;
  readonly kind: MomentKind;
  /** Importance from 0 to 100. */
  readonly weight: number;
  /** Candidates of the same key that follow within `TOGETHER_MS` are merged; default: none is. */
  readonly key?: string;
  /** Part of the sentence that is listed, such as a node. */
  readonly part?: string;
  /** Sentence about the listed parts; `count` is their number. */
  readonly says: (parts: string, count: number) => string;
  readonly nodes?: readonly string[];
  readonly shards?: readonly string[];
}

/** Source of candidates about one theme. Events and cluster states of a run are given to it in order. */
export interface Narrator {
  event?(event: RecordedEvent): void;
  state?(atMs: number, state: ObservedState): void;
  /** Called once, when the run has ended. */
  end?(): void;
}

export type AddCandidate = (candidate: Candidate) => void;
