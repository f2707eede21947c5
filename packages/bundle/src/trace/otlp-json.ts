/**
 * OTLP as JSON, one request to a line: the form in which a collector takes it over HTTP, and its file receiver reads it.
 *
 * Times are those of the run, counted from the first day of 2026, where the clocks of a simulation begin. Ids derive from the run, so that the
 * same run has the same lines.
 */
import { createHash } from "node:crypto";
import type { RunRecord } from "../types.ts";

/** Values of attributes. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const BEGINNING_MS = BigInt(Date.UTC(2026, 0, 1));

/** A time of the run in nanoseconds since 1970, as text: JSON has no integers of 64 bits. */
export function unixNanos(atMs: number): string {
  return String(BEGINNING_MS * 1_000_000n + BigInt(Math.round(atMs * 1e6)));
}

/** Attributes as OTLP lists them; those without a value are left out. */
export function attributeList(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** The resource of one node or client of the run. */
export function resourceOf(run: RunRecord, instance: string): object {
  const attributes = {
    "service.name": "orrery",
    "service.namespace": run.scenario,
    "service.instance.id": instance,
    "orrery.seed": String(run.seed),
    "orrery.world": run.world,
  };
  return { attributes: attributeList(attributes) };
}

export const scope = { name: "orrery" } as const;

/** Hexadecimal digits that are the run's own. */
export function digestOfRun({ scenario, seed, world, hash, virtualMs }: RunRecord): string {
  const identity = JSON.stringify([scenario, seed, world, hash, virtualMs]);
  return createHash("sha256").update(identity).digest("hex");
}
