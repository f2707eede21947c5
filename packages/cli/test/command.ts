/** A command run in this process, with what it printed. */
import { vi } from "vitest";
import { main } from "../src/index.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function run(...args: string[]): Promise<Outcome> {
  const printed = { out: "", err: "" };
  const catching = (key: "out" | "err") => (text: unknown) => {
    printed[key] += String(text);
    return true;
  };
  const out = vi.spyOn(process.stdout, "write").mockImplementation(catching("out"));
  const err = vi.spyOn(process.stderr, "write").mockImplementation(catching("err"));
  try {
    return { code: await main(args), ...printed };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

/** The last line of standard output, as JSON. */
export function last({ out }: Outcome): Record<string, unknown> {
  return JSON.parse(out.trimEnd().split("\n").at(-1) ?? "") as Record<string, unknown>;
}

/** A short run that passes. */
export const passing = `name: test/short
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
workload: { kind: bulk, index: books, clients: 1, documents: 5, every: 50ms, timeout: 5s }
phases: { faults: 400ms, converge: 60s }
checkers: [one-cluster-manager-per-term, no-acknowledged-write-lost, converges-to-green]
`;

/** A run that loses what it acknowledged: its index syncs its translog later. */
export const failing = `name: test/lossy
claim: Used by tests.
indices:
  books: { shards: 1, replicas: 0, settings: { translog.durability: async } }
  others: { shards: 1, replicas: 1 }
workload: { kind: bulk, index: books, clients: 2, documents: 2, every: 20ms, timeout: 2s, for: 700ms }
faults:
  - { kind: crash, node: any-but-elected-cluster-manager, from: 100ms, to: 300ms }
  - { kind: crash, node: "primary:books/0", from: 800ms, to: 900ms }
phases: { faults: 1s, converge: 60s }
checkers: [one-cluster-manager-per-term, no-acknowledged-write-lost, converges-to-green]
`;
