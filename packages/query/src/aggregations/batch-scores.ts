/** The scores of the documents that aggregations see at the moment, for scripts that ask for one. */

export class BatchScores {
  private docs: Int32Array = new Int32Array(0);
  private scores: Float32Array | undefined;
  private count = 0;

  /** Documents ascend. The arrays are the caller's, and change after the batch. */
  set(docs: Int32Array, scores: Float32Array | undefined, count: number): void {
    this.docs = docs;
    this.scores = scores;
    this.count = count;
  }

  /** 0 for a document that is not in the batch: nested documents have no score. */
  of(doc: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.docs[middle] as number) < doc) low = middle + 1;
      else high = middle;
    }
    return low < this.count && this.docs[low] === doc ? (this.scores?.[low] ?? 0) : 0;
  }
}
