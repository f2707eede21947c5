/** A one-shot signal that ends work: made by whoever may give up, listened to by whatever is at it. */

/** A one-shot signal, free of any world's own abort type. */
export interface Cancellation {
  readonly isCancelled: boolean;
  readonly reason: string;
  /** Calls back at once when already cancelled. Returns a function that forgets the callback. */
  onCancel(callback: (reason: string) => void): () => void;
}

export interface CancellationSource extends Cancellation {
  cancel(reason: string): void;
}

export function createCancellation(): CancellationSource {
  return new Source();
}

/** A class, because every request makes one, and hardly one is ever asked anything. */
class Source implements CancellationSource {
  isCancelled = false;
  reason = "";
  private callbacks: Set<(reason: string) => void> | undefined;

  onCancel(callback: (reason: string) => void): () => void {
    if (this.isCancelled) {
      callback(this.reason);
      return () => undefined;
    }
    const callbacks = (this.callbacks ??= new Set());
    callbacks.add(callback);
    return () => callbacks.delete(callback);
  }

  cancel(reason: string): void {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.reason = reason;
    const { callbacks } = this;
    this.callbacks = undefined;
    if (callbacks !== undefined) for (const callback of [...callbacks]) callback(reason);
  }
}
