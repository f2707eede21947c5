/** Cancellation of work: a one-shot signal from its requester, without the `AbortSignal` of any world. */

/** The receiving side of the signal. */
export interface Cancellation {
  readonly isCancelled: boolean;
  /** Empty until the signal is given. */
  readonly reason: string;
  /** Registers a callback; it runs at once when the signal was given before. The result unregisters it. */
  onCancel(callback: (reason: string) => void): () => void;
}

/** The sending side. Only the first call of `cancel` has an effect. */
export interface CancellationSource extends Cancellation {
  cancel(reason: string): void;
}

export function createCancellation(): CancellationSource {
  return new Source();
}

/**
 * A class, since every request makes one and hardly any has callbacks: methods are shared, and the set is made on
 * demand.
 */
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
