/** Conditions of the shared blob stores by location; faults set and lift them. */
import { isAtLocation } from "@orrery/ports";

export interface BlobConditions {
  /** Latency of each operation, drawn uniformly between the two bounds. */
  readonly latencyMs: { readonly low: number; readonly high: number };
  /** Bandwidth between a node and the store. */
  readonly bytesPerSecond: number;
  /**
   * The location is unreachable, like a file system that is not mounted: listings are empty, reads find nothing, writes
   * fail.
   */
  readonly isMissing: boolean;
  readonly isFull: boolean;
  readonly isReadOnly: boolean;
  /** Number of operations in a thousand that end with an I/O error. */
  readonly failingPerMille: number;
  /** Operations that `failingPerMille` applies to; all if `undefined`. */
  readonly failing?: readonly BlobOperation[];
  /** Number of reads in a thousand that return one flipped bit. */
  readonly corruptReadsPerMille: number;
}

export type BlobOperation = "list" | "read" | "write" | "remove";

/** Conditions without faults. */
export const calmBlobs: BlobConditions = {
  latencyMs: { low: 0.5, high: 3 },
  bytesPerSecond: 200 * 1024 * 1024,
  isMissing: false,
  isFull: false,
  isReadOnly: false,
  failingPerMille: 0,
  corruptReadsPerMille: 0,
};

export interface BlobConditionLayers {
  at(path: string): BlobConditions;
  /**
   * Sets conditions for all paths below `place` (empty: all paths) that contain the given text; for each property the
   * newest condition counts.
   */
  set(place: string, conditions: Partial<BlobConditions>, contains?: string): BlobLayer;
  /** Counts an operation on this path that the conditions delayed, or failed. */
  tookEffect(path: string, isFailure: boolean): void;
}

/** Conditions set by one call: counts of the operations they delayed or failed, and the function that lifts them. */
export interface BlobLayer {
  hits(): number;
  end(): void;
}

/** Table of conditions by location; later ones take precedence over earlier ones. */
export function createBlobConditions(): BlobConditionLayers {
  interface Layer {
    readonly place: string;
    readonly contains: string;
    readonly conditions: Partial<BlobConditions>;
    hits: number;
  }
  let layers: readonly Layer[] = [];
  const isMeant = (path: string, { place, contains }: Layer): boolean =>
    isAtLocation(path, place) && path.includes(contains);
  return {
    at: (path) =>
      layers
        .filter((layer) => isMeant(path, layer))
        .reduce<BlobConditions>((all, { conditions }) => ({ ...all, ...conditions }), calmBlobs),
    set: (place, conditions, contains = "") => {
      const layer = { place, contains, conditions, hits: 0 };
      layers = [...layers, layer];
      return {
        hits: () => layer.hits,
        end: () => {
          layers = layers.filter((other) => other !== layer);
        },
      };
    },
    tookEffect: (path, isFailure) => {
      for (const layer of layers) {
        const isSlow = layer.conditions.latencyMs !== undefined;
        if (isMeant(path, layer) && isSlow !== isFailure) layer.hits += 1;
      }
    },
  };
}
