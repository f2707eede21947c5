/**
 * Neighbours of floating-point numbers, for exclusive bounds, and rounding to half precision, for
 * `half_float`. Source: `Math.nextUp`, `HalfFloatPoint`.
 */

const buffer = new DataView(new ArrayBuffer(8));

/** The least double above the value. */
export function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return Number.MIN_VALUE;
  buffer.setFloat64(0, value);
  const bits = buffer.getBigInt64(0);
  buffer.setBigInt64(0, value > 0 ? bits + 1n : bits - 1n);
  return buffer.getFloat64(0);
}

/** The greatest double below the value. */
export function nextDown(value: number): number {
  return -nextUp(-value);
}

/** The least float above the value, which is a float. */
export function nextUpFloat(value: number): number {
  if (Number.isNaN(value) || value === Infinity) return value;
  if (value === 0) return 1.401298464324817e-45;
  buffer.setFloat32(0, value);
  const bits = buffer.getInt32(0);
  buffer.setInt32(0, value > 0 ? bits + 1 : bits - 1);
  return buffer.getFloat32(0);
}

/** The nearest half-precision number, ties to even; infinite from 65,520 on. */
export function roundToHalf(value: number): number {
  const magnitude = Math.abs(value);
  if (Number.isNaN(value) || magnitude === Infinity || magnitude === 0) return value;
  if (magnitude >= 65_520) return value > 0 ? Infinity : -Infinity;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  const step = 2 ** (exponent - 10);
  const scaled = magnitude / step;
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = rest > 0.5 || (rest === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
  return Math.sign(value) * rounded * step;
}

/** The least half-precision number above the value, which is one. */
export function nextUpHalf(value: number): number {
  const magnitude = Math.abs(value);
  const exponent = magnitude === 0 ? -14 : Math.max(Math.floor(Math.log2(magnitude)), -14);
  const isPowerBelowZero = value < 0 && magnitude === 2 ** exponent && exponent > -14;
  return value + 2 ** (exponent - 10) * (isPowerBelowZero ? 0.5 : 1);
}
