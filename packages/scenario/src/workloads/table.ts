/** Every workload by its kind: how it is read from a file, and how it runs. */
import { readDuration, readInteger, readText, type Fields } from "../fields.ts";
import { bulk } from "./bulk.ts";
import type { RunWorkload, Workload } from "./workload.ts";

interface Row<Kind extends Workload> {
  readonly keys: readonly string[];
  readonly parse: (fields: Fields) => Kind;
  readonly run: RunWorkload<Kind>;
}

export const workloads: {
  readonly [Kind in Workload["kind"]]: Row<Extract<Workload, { readonly kind: Kind }>>;
} = {
  bulk: {
    keys: ["index", "clients", "documents", "every", "timeout", "for"],
    parse: (fields) => ({
      kind: "bulk",
      index: readText(fields, "index"),
      clients: readInteger(fields, "clients", { low: 1, high: 1000, otherwise: 1 }),
      documents: readInteger(fields, "documents", { low: 1, high: 10_000, otherwise: 10 }),
      everyMs: readDuration(fields, "every", 100),
      timeoutMs: readDuration(fields, "timeout", 30_000),
      forMs: fields.values.has("for") ? readDuration(fields, "for") : undefined,
    }),
    run: bulk,
  },
};
