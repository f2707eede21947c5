/** Tests run on the sources, with no build step; pure suites share one context because they hold no state. */
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const major = Number(process.versions.node.split(".")[0]);
if (major < 22) {
  throw new Error(
    `tests need Node 22 or newer, this is ${process.version}: run them with "npm test"`,
  );
}

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    isolate: false,
    setupFiles: ["test/closed-prototypes.setup.ts"],
    pool: "threads",
    // By default one core is left to the main thread, which has little to do: on two cores tests would run one after the other.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    // By default a second, which other work on the machine can take.
    expect: { poll: { timeout: 20_000 } },
    coverage: { provider: "v8", reporter: ["text-summary"], reportOnFailure: true },
  },
});
