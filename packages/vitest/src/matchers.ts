/** Registers the matchers with vitest: `setupFiles: ["@orrery/vitest/matchers"]`, or an import of a test file. */
import { matchers, type ClusterMatchers } from "@orrery/testing/matchers";
import { expect } from "vitest";

declare global {
  // The assertions of every version of vitest have the members of these, and matchers of an own interface differ among versions.
  namespace Chai {
    interface Assertion extends ClusterMatchers<void> {}
  }
}

expect.extend(matchers);

export type { ClusterMatchers };
