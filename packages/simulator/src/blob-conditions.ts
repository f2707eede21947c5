/** What is wrong with the shared blob stores at the moment, by place; the lab's faults set and lift it. */
import { isAtLocation } from "@orrery/ports";

export interface BlobConditions {
  /** Of each operation; a place far away or overloaded has more. */
  readonly latencyMs: { readonly low: number; readonly high: number };
  /** How fast bytes travel to and from it. */
  readonly bytesPerSecond: number;
  /** The place cannot be reached, as a file system that is not mounted: nothing is there, and nothing can be written. */
  readonly isMissing: boolean;
  readonly isFull: boolean;
  readonly isReadOnly: boolean;
  /** So many operations in a thousand end with an io error. */
  readonly failingPerMille: number;
  /** Which operations fail; all when it is not told. */
  readonly failing?: readonly BlobOperation[];
  /** So many reads in a thousand have one bit flipped. */
  readonly corruptReadsPerMille: number;
}

export type BlobOperation = "list" | "read" | "write" | "remove";

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
  /** For all that lies below `place` (empty: everything); the newest that say something count. */
  set(place: string, conditions: Partial<BlobConditions>, contains?: string): BlobLayer;
  /** An operation on this path took longer, or failed, because of what is set. */
  tookEffect(path: string, isFailure: boolean): void;
}

/** Conditions that are set: how many operations they slowed, or failed, and what takes them back. */
export interface BlobLayer {
  hits(): number;
  end(): void;
}

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
