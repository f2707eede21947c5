/**
 * The scores of the documents in the batch that aggregations are collecting, for scripts that read
 * `_score`.
 */

/** The scores of the current batch by document. The query phase sets them before each batch. */
export class BatchScores {
  private docs: Int32Array = new Int32Array(0);
  private scores: Float32Array | undefined;
  private count = 0;

  /** Documents ascend. The arrays belong to the caller and change after the batch. */
  set(docs: Int32Array, scores: Float32Array | undefined, count: number): void {
    this.docs = docs;
    this.scores = scores;
    this.count = count;
  }

  /** The score of a document; 0 if it is not in the batch, as a nested document, which has none. */
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
