/**
 * Operations of a leader's shard on their way to the follower's: several readers ask for parts of what is behind, writers take the
 * parts in their order. At the end of the history one reader alone waits for news. Source: `ShardReplicationChangesTracker`,
 * `TranslogSequencer`.
 */
import type { ChangesResponse } from "../messages.ts";

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Batch extends Range {
  readonly changes: ChangesResponse;
}

export interface Limits {
  readonly readers: number;
  readonly writers: number;
  /** Operations that one question asks for. */
  readonly batch: number;
}

export interface PipelineParts {
  readonly from: number;
  /** As of now: settings may change on the way. */
  readonly limits: () => Limits;
  /** `isNews`: nothing more is known to be there, the leader answers when something is. */
  readonly read: (range: Range, isNews: boolean) => Promise<ChangesResponse>;
  /** Attempts are told to `own`; `before` are those of the batch in front of this one. */
  readonly write: (batch: Batch, own: Attempts, before: Attempts) => Promise<void>;
  /** The follower has got further, or there is no news. One at a time. */
  readonly settled: () => Promise<void>;
  readonly isOver: () => boolean;
  /** Calls back when it is over. */
  readonly onOver: (wake: () => void) => () => void;
}

/**
 * Attempts to write one batch. A batch that came too early is sent again after each attempt of the one in front of it, not at the end of
 * its write: otherwise one batch that has to wait for a mapping would leave all later ones waiting for each other's replicas for ever.
 */
export class Attempts {
  /** Number of attempts that were sent. */
  count = 0;
  isOver = false;
  private waiting: (() => void)[] = [];

  /** To be called when an attempt was sent: requests that follow arrive behind it. */
  sent(): void {
    this.count += 1;
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  end(): void {
    this.isOver = true;
    this.sent();
  }

  /** Resolves when `count` is above `known`, or at the end. */
  beyond(known: number): Promise<void> {
    if (this.isOver || this.count > known) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }
}

/** Ends when it is over; rejects with the first thing that fails, whatever else is on its way. */
export async function runPipeline(parts: PipelineParts): Promise<void> {
  const flow = new Flow(parts);
  const forget = parts.onOver(() => flow.wake());
  try {
    await flow.run();
  } finally {
    forget();
  }
}

class Flow {
  private readonly parts: PipelineParts;
  /** Never asked for yet. */
  private next: number;
  private nextToWrite: number;
  private leaderCheckpoint = -1;
  /** Asked for, and not in the answer, in order: a leader's answers have a size of their own. */
  private readonly missing: Range[] = [];
  private readonly read = new Map<number, Batch>();
  private readers = 0;
  private writers = 0;
  private lastAttempts = new Attempts();
  private isSettling = false;
  private isUnsettled = false;
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
      this.startSettling();
      await new Promise<void>((resolve) => {
        this.onChange = resolve;
      });
    }
  }

  wake(): void {
    this.onChange();
  }

  private startReaders(): void {
    const { readers, writers, batch } = this.parts.limits();
    const hasRoom = (): boolean => this.readers + this.read.size < readers + writers;
    // What all that was read is waiting for has room in any case.
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

  private startReader(range: Range, isNews: boolean): void {
    this.readers += 1;
    const reading = this.parts.read(range, isNews).then((changes) => {
      this.readers -= 1;
      this.take(range, changes, isNews);
    });
    this.watch(reading);
  }

  private take(range: Range, changes: ChangesResponse, isNews: boolean): void {
    const { lastSeqNo, globalCheckpoint } = changes;
    this.leaderCheckpoint = Math.max(this.leaderCheckpoint, globalCheckpoint);
    if (isNews) this.next = lastSeqNo + 1;
    else if (lastSeqNo < range.to) {
      this.missing.push({ from: lastSeqNo + 1, to: range.to });
      this.missing.sort((a, b) => a.from - b.from);
    }
    if (changes.count === 0) this.isUnsettled = true;
    else this.read.set(range.from, { from: range.from, to: lastSeqNo, changes });
  }

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
            this.isUnsettled = true;
          }),
      );
    }
  }

  private startSettling(): void {
    if (this.isSettling || !this.isUnsettled) return;
    this.isSettling = true;
    this.isUnsettled = false;
    this.watch(
      this.parts.settled().then(() => {
        this.isSettling = false;
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
