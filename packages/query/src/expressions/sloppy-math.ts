/**
 * Distances on the sphere, with Lucene's tables of cosines and arc sines to give the same digits.
 * Source: `SloppyMath`.
 */

/** The mean radius of the Earth. */
const METERS = 6_371_008.7714;

/** π/2 in two parts, for more digits than one double holds. */
const PI_2_HIGH = 1.570_796_326_734_125_6;
const PI_2_LOW = 6.077_100_506_506_192e-11;

/** The number of table entries in a full circle. */
const ANGLES = 1 << 11;
const ANGLE_HIGH = (4 * PI_2_HIGH) / ANGLES;
const ANGLE_LOW = (4 * PI_2_LOW) / ANGLES;
const PER_ANGLE = 1 / (ANGLE_HIGH + ANGLE_LOW);
const MAX_ANGLE = ((2_147_483_647 >> 9) / PER_ANGLE) * 0.99;

const sines = table(ANGLES + 1, (i) =>
  i % (ANGLES / 2) === 0 ? 0 : Math.sin(i * ANGLE_HIGH + i * ANGLE_LOW),
);
const cosines = table(ANGLES + 1, (i) =>
  (i + ANGLES / 4) % (ANGLES / 2) === 0 ? 0 : Math.cos(i * ANGLE_HIGH + i * ANGLE_LOW),
);

/** The greatest ratio in the table of arc sines. */
const MAX_RATIO = Math.sin((73 / 180) * Math.PI);
const RATIOS = 1 << 13;
const RATIO = MAX_RATIO / RATIOS;
const PER_RATIO = 1 / RATIO;

const arcSines = table(RATIOS + 1, (i) => Math.asin(i * RATIO));

/** Returns the distance of two points given in degrees. */
export function haversinMeters(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const sortKey = haversinSortKey(lat1, lon1, lat2, lon2);
  return METERS * 2 * asin(Math.min(1, Math.sqrt(sortKey * 0.5)));
}

/** Returns a number that grows with the distance and is cheaper to compute. */
function haversinSortKey(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const x1 = radians(lat1);
  const x2 = radians(lat2);
  const h1 = 1 - cos(x1 - x2);
  const h2 = 1 - cos(radians(lon1 - lon2));
  return withoutLastBits(h1 + cos(x1) * cos(x2) * h2);
}

function radians(degrees: number): number {
  return degrees * 0.017_453_292_519_943_295;
}

/** Clears the last three bits, so that rounding errors do not separate equal distances. */
function withoutLastBits(value: number): number {
  const number = Float64Array.of(value);
  const bits = new BigUint64Array(number.buffer);
  bits[0] = (bits[0] ?? 0n) & 0xffff_ffff_ffff_fff8n;
  return number[0] ?? 0;
}

/** Taylor expansion around the nearest table entry. */
function cos(angle: number): number {
  const a = Math.abs(angle);
  if (!(a <= MAX_ANGLE)) return Math.cos(a);
  const index = Math.trunc(a * PER_ANGLE + 0.5);
  const delta = a - index * ANGLE_HIGH - index * ANGLE_LOW;
  const at = index & (ANGLES - 1);
  const [c, s] = [cosines[at] ?? 0, sines[at] ?? 0];
  return c + delta * (-s + delta * (-c * (1 / 2) + delta * (s * (1 / 6) + delta * c * (1 / 24))));
}

/** Taylor expansion around the nearest table entry; `ratio` must not be negative. */
function asin(ratio: number): number {
  if (!(ratio <= MAX_RATIO)) return Math.asin(ratio);
  const index = Math.trunc(ratio * PER_RATIO + 0.5);
  const delta = ratio - index * RATIO;
  const x = index * RATIO;
  const inverse = 1 / (1 - x * x);
  const d1 = Math.sqrt(inverse);
  const d3 = d1 * inverse;
  const d5 = d3 * inverse;
  const second = x * d3 * (1 / 2);
  const third = (1 + 2 * x * x) * d5 * (1 / 6);
  const fourth = (5 + 2 * x * (2 + x * (5 - 2 * x))) * (d5 * inverse) * (1 / 24);
  return (
    (arcSines[index] ?? 0) + delta * (d1 + delta * (second + delta * (third + delta * fourth)))
  );
}

function table(size: number, value: (index: number) => number): Float64Array {
  return Float64Array.from({ length: size }, (_, index) => value(index));
}
