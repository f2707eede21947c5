/**
 * The pipeline from a leader shard to its follower: several readers request ranges of operations concurrently,
 * writers send them to the follower's primary in order. At the end of the history a single reader waits for new
 * operations (long polling). Source: `ShardReplicationChangesTracker`, `TranslogSequencer`.
 */
import type { ChangesResponse } from "../messages.ts";

/** A range of sequence numbers, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Operations of a range that have been read. */
export interface Batch extends Range {
  readonly changes: ChangesResponse;
}

/** Limits of concurrency and of the size of requests. */
export interface Limits {
  readonly readers: number;
  readonly writers: number;
  /** Operations per request. */
  readonly batch: number;
}

/** Functions that the pipeline drives. */
export interface PipelineParts {
  /** First sequence number to read. */
  readonly from: number;
  /** Current limits; settings may change at any time. */
  readonly limits: () => Limits;
  /** Reads a range. `isLongPoll`: no operation of it is known to exist yet, so the leader answers when one does. */
  readonly read: (range: Range, isLongPoll: boolean) => Promise<ChangesResponse>;
  /** Writes a batch. Each attempt is reported to `own`; `before` are the attempts of the preceding batch. */
  readonly write: (batch: Batch, own: Attempts, before: Attempts) => Promise<void>;
  /** Called when the follower's checkpoint may have advanced, or the leader had nothing new; never concurrently. */
  readonly onProgress: () => Promise<void>;
  /** Whether the pipeline has to end. */
  readonly isOver: () => boolean;
  /** Registers a callback for the moment at which the pipeline has to end; returns the function that removes it. */
  readonly onOver: (wake: () => void) => () => void;
}

/**
 * Attempts to write one batch. A batch that arrived before its predecessor is sent again after each attempt of the
 * predecessor, not after the predecessor's write has completed: otherwise one batch that waits for a mapping would
 * leave all later ones waiting for each other's replicas forever.
 */
export class Attempts {
  /** Number of attempts sent. */
  count = 0;
  isOver = false;
  private waiting: (() => void)[] = [];

  /** Reports an attempt that has been sent. Requests sent later arrive behind it. */
  sent(): void {
    this.count += 1;
    for (const resume of this.waiting.splice(0)) resume();
  }

  /** Ends the batch: no further attempt will follow. */
  end(): void {
    this.isOver = true;
    this.sent();
  }

  /** Resolves when `count` exceeds `known`, or at the end. */
  awaitBeyond(known: number): Promise<void> {
    if (this.isOver || this.count > known) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }
}

/** Runs the pipeline until `isOver`; rejects with the first failure, without awaiting other requests in flight. */
export async function runPipeline(parts: PipelineParts): Promise<void> {
  const flow = new Flow(parts);
  const forget = parts.onOver(() => flow.wake());
  try {
    await flow.run();
  } finally {
    forget();
  }
}

/**
 * State of a running pipeline. A loop: each change (a read, a write, a failure) wakes it, and it starts
 * whatever the limits allow.
 */
class Flow {
  private readonly parts: PipelineParts;
  /** First sequence number that has never been requested. */
  private next: number;
  private nextToWrite: number;
  private leaderCheckpoint = -1;
  /** Ranges that were requested but missing in responses, in order: the leader limits responses by size. */
  private readonly missing: Range[] = [];
  private readonly read = new Map<number, Batch>();
  private readers = 0;
  private writers = 0;
  private lastAttempts = new Attempts();
  private isReporting = false;
  private hasProgress = false;
  private failure: { readonly error: unknown } | undefined;
  private onChange: () => void = () => undefined;

  constructor(parts: PipelineParts) {
    this.parts = parts;
    this.next = parts.from;
    this.nextToWrite = parts.from;
    this.lastAttempts.end();
  }

  async run(): Promise<void> {
    while (!this.parts.isOver()) {
      if (this.failure !== undefined) throw this.failure.error;
      this.startWriters();
      this.startReaders();
      this.startReporting();
      await new Promise<void>((resolve) => {
        this.onChange = resolve;
      });
    }
  }

  wake(): void {
    this.onChange();
  }

  /** Readers run ahead of writers by a bounded number of batches, which bounds the memory of the follower. */
  private startReaders(): void {
    const { readers, writers, batch } = this.parts.limits();
    const hasRoom = (): boolean => this.readers + this.read.size < readers + writers;
    // The range that the next write needs is exempt from the limit: without it the batches behind it could never be
    // written and free their room.
    const isWaitedFor = (): boolean => this.missing[0]?.from === this.nextToWrite;
    while (this.readers < readers && (hasRoom() || isWaitedFor())) {
      const known = this.missing.shift();
      if (known !== undefined) this.startReader(known, false);
      else if (this.next <= this.leaderCheckpoint) {
        const to = Math.min(this.leaderCheckpoint, this.next + batch - 1);
        const range = { from: this.next, to };
        this.next = to + 1;
        this.startReader(range, false);
      } else {
        if (this.readers === 0 && this.read.size === 0)
          this.startReader({ from: this.next, to: this.next + batch - 1 }, true);
        return;
      }
    }
  }

  private startReader(range: Range, isLongPoll: boolean): void {
    this.readers += 1;
    const reading = this.parts.read(range, isLongPoll).then((changes) => {
      this.readers -= 1;
      this.take(range, changes, isLongPoll);
    });
    this.watch(reading);
  }

  /** A response may cover less than its range; the rest is requested again before newer ranges. */
  private take(range: Range, changes: ChangesResponse, isLongPoll: boolean): void {
    const { lastSeqNo, globalCheckpoint } = changes;
    this.leaderCheckpoint = Math.max(this.leaderCheckpoint, globalCheckpoint);
    if (isLongPoll) this.next = lastSeqNo + 1;
    else if (lastSeqNo < range.to) {
      this.missing.push({ from: lastSeqNo + 1, to: range.to });
      this.missing.sort((a, b) => a.from - b.from);
    }
    if (changes.count === 0) this.hasProgress = true;
    else this.read.set(range.from, { from: range.from, to: lastSeqNo, changes });
  }

  /**
   * Batches are started strictly in order, each with the attempts of its predecessor, so that requests reach the
   * primary in order.
   */
  private startWriters(): void {
    const { writers } = this.parts.limits();
    for (;;) {
      const batch = this.read.get(this.nextToWrite);
      if (batch === undefined || this.writers >= writers) return;
      this.read.delete(batch.from);
      this.nextToWrite = batch.to + 1;
      this.writers += 1;
      const before = this.lastAttempts;
      const own = new Attempts();
      this.lastAttempts = own;
      const writing = this.parts.write(batch, own, before);
      this.watch(
        writing
          .finally(() => own.end())
          .then(() => {
            this.writers -= 1;
            this.hasProgress = true;
          }),
      );
    }
  }

  /** A checkpoint update that is requested while one runs is made up for afterwards, once. */
  private startReporting(): void {
    if (this.isReporting || !this.hasProgress) return;
    this.isReporting = true;
    this.hasProgress = false;
    this.watch(
      this.parts.onProgress().then(() => {
        this.isReporting = false;
      }),
    );
  }

  private watch(work: Promise<void>): void {
    work
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => this.onChange());
  }
}
