/**
 * Registers the matchers with jest: `setupFilesAfterEnv: ["@orrery/testing/jest"]`. The types are those of `@types/jest`.
 */
import { matchers, type ClusterMatchers } from "./matchers.ts";

declare global {
  // The namespace of @types/jest.
  namespace jest {
    interface Matchers<R, T = {}> extends ClusterMatchers<R> {}
  }
}

interface Extensible {
  extend(matchers: object): void;
}

const { expect } = globalThis as { readonly expect?: Extensible };
if (expect === undefined)
  throw new Error(
    "[@orrery/testing/jest] belongs into [setupFilesAfterEnv] of jest's configuration",
  );
expect.extend(matchers);

export type { ClusterMatchers };
