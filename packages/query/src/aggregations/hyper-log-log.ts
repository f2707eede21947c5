/**
 * Counts distinct hashes: exactly in a set up to a threshold, then in 16,384 registers (HyperLogLog
 * of Flajolet et al., with Ertl's estimator; about 0.8 % error). Merging registers by their maxima
 * gives the counter of the union, so shards' counters can be merged in any order.
 */

import type { Budget } from "../work/budget.ts";

/** 14 bits of a hash select the register. */
const PRECISION = 14;
const REGISTERS = 1 << PRECISION;
/** The other 38 of 52 bits: their leading zeros are counted. */
const REST_BITS = 38;
/** Bytes of a hash in the set. */
const VALUE_BYTES = 40;

/**
 * Counts distinct hashes: exactly in a set up to a threshold, above that approximately in
 * registers. One of `exact` and `registers` is in use.
 */
export class DistinctCounter {
  private exact: Set<number> | undefined = new Set();
  private registers: Uint8Array | undefined;
  private readonly threshold: number;
  private readonly budget: Budget | undefined;

  /** `budget` is that of the request; `undefined` where partials are merged. */
  constructor(threshold: number, budget?: Budget) {
    this.threshold = threshold;
    this.budget = budget;
  }

  /** Counts a hash: an integer below 2^52, evenly spread. */
  add(hash: number): void {
    if (this.exact === undefined) {
      this.register(hash);
      return;
    }
    const { size } = this.exact;
    this.exact.add(hash);
    if (this.exact.size === size) return;
    this.budget?.hold(VALUE_BYTES);
    if (size === this.threshold) this.toRegisters();
  }

  /** Counts a hash whose register and rank `packHash` has computed. */
  addPacked(hash: number, packed: number): void {
    if (this.registers === undefined) {
      this.add(hash);
      return;
    }
    const index = packed >>> 8;
    const rank = packed & 255;
    if (rank > (this.registers[index] as number)) this.registers[index] = rank;
  }

  /**
   * Counts the hashes of a batch of documents, given by document and packed; false, without
   * counting, while the counter is exact.
   */
  addDocs(packed: Int32Array, docs: Int32Array, count: number): boolean {
    const { registers } = this;
    if (registers === undefined) return false;
    for (let i = 0; i < count; i += 1) {
      const value = packed[docs[i] as number] as number;
      const rank = value & 255;
      if (rank > (registers[value >>> 8] as number)) registers[value >>> 8] = rank;
    }
    return true;
  }

  /** Replaces the set by registers; hashes lose nothing that registers would have kept. */
  private toRegisters(): void {
    const hashes = this.exact ?? new Set();
    this.budget?.hold(REGISTERS - hashes.size * VALUE_BYTES);
    this.exact = undefined;
    this.registers = new Uint8Array(REGISTERS);
    for (const hash of hashes) this.register(hash);
  }

  private register(hash: number): void {
    this.addPacked(hash, packHash(hash));
  }

  /** Hashes while the counter is exact, registers afterwards. */
  partial(): number[] | Uint8Array {
    return this.registers?.slice() ?? [...(this.exact ?? [])];
  }

  /** Adds the hashes or registers of another counter. */
  merge(partial: readonly number[] | Uint8Array): void {
    if (!(partial instanceof Uint8Array)) {
      for (const hash of partial) this.add(hash);
      return;
    }
    if (this.registers === undefined) this.toRegisters();
    const registers = this.registers as Uint8Array;
    for (let i = 0; i < REGISTERS; i += 1) {
      if ((partial[i] as number) > (registers[i] as number)) registers[i] = partial[i] as number;
    }
  }

  /** Number of distinct hashes, an estimate from the registers. */
  count(): number {
    if (this.exact !== undefined) return this.exact.size;
    return Math.round(estimate(this.registers as Uint8Array));
  }
}

/** Register (bits 8 and above) and rank (1 + leading zeros) of a hash in one integer. */
export function packHash(hash: number): number {
  const index = hash % REGISTERS;
  const rest = Math.floor(hash / REGISTERS);
  const high = Math.floor(rest / 4_294_967_296);
  const leading =
    high !== 0
      ? Math.clz32(high) - (32 - (REST_BITS - 32))
      : REST_BITS - 32 + Math.clz32(rest >>> 0);
  return (index << 8) | (leading + 1);
}

/**
 * Source: O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", algorithm 6.
 * It needs no correction for small and large counts.
 */
function estimate(registers: Uint8Array): number {
  const counts = Array.from({ length: REST_BITS + 2 }, () => 0);
  for (const register of registers) counts[register] = (counts[register] ?? 0) + 1;
  let z = REGISTERS * tau(1 - (counts[REST_BITS + 1] ?? 0) / REGISTERS);
  for (let k = REST_BITS; k >= 1; k -= 1) z = 0.5 * (z + (counts[k] ?? 0));
  z += REGISTERS * sigma((counts[0] ?? 0) / REGISTERS);
  return ((REGISTERS / (2 * Math.LN2)) * REGISTERS) / z;
}

/**
 * Correction for registers that are 0, of the paper; the loop ends when the sum no longer changes.
 */
function sigma(value: number): number {
  if (value === 1) return Infinity;
  let x = value;
  let y = 1;
  let z = x;
  for (;;) {
    x *= x;
    const before = z;
    z += x * y;
    y += y;
    if (z === before) return z;
  }
}

/** Correction for saturated registers, of the paper. */
function tau(value: number): number {
  if (value === 0 || value === 1) return 0;
  let x = value;
  let y = 1;
  let z = 1 - x;
  for (;;) {
    x = Math.sqrt(x);
    const before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
    if (z === before) return z / 3;
  }
}
