/**
 * Distances between points in metres, over the sphere or a plane. Cosine and arc sine are
 * interpolated in tables as in the product, so that distances are equal to the last bit. Source:
 * Lucene's `SloppyMath`, OpenSearch's `GeoUtils`.
 */
import type { GeoPoint } from "../mapping/types/geo-point.ts";

/** Mean radius in metres. */
const EARTH_RADIUS = 6_371_008.7714;
const RADIANS = Math.PI / 180;

/** A measure of the distance between two points, in metres. */
export type Meters = (a: GeoPoint, b: GeoPoint) => number;

/**
 * Returns a measure of distances on the sphere. One call serves many distances, because the measure
 * holds a buffer.
 */
export function haversineMeters(): Meters {
  const bits = new DataView(new ArrayBuffer(8));
  return (a, b) => {
    const x1 = a.lat * RADIANS;
    const x2 = b.lat * RADIANS;
    const h1 = 1 - cosine(x1 - x2);
    const h2 = 1 - cosine((a.lon - b.lon) * RADIANS);
    // The last three bits are cut, as in `SloppyMath`: they depend on rounding.
    bits.setFloat64(0, h1 + cosine(x1) * cosine(x2) * h2);
    bits.setInt32(4, bits.getInt32(4) & ~7);
    return EARTH_RADIUS * 2 * arcSine(Math.min(1, Math.sqrt(bits.getFloat64(0) * 0.5)));
  };
}

/**
 * A measure of distances on a plane (an equirectangular projection): faster than the measure on the
 * sphere, and inaccurate over long distances.
 */
export function planeMeters(): Meters {
  return (a, b) => {
    const x = (b.lon - a.lon) * RADIANS * Math.cos(((b.lat + a.lat) / 2) * RADIANS);
    const y = (b.lat - a.lat) * RADIANS;
    return Math.sqrt(x * x + y * y) * EARTH_RADIUS;
  };
}

/** Pi/2 in two parts: its first 33 bits, and the rest. */
const HALF_PI_HIGH = 1.570_796_326_734_125_614_17;
const HALF_PI_LOW = 6.077_100_506_506_192_249_32e-11;

const CIRCLE_STEPS = 2048;
const STEP_HIGH = (4 * HALF_PI_HIGH) / CIRCLE_STEPS;
const STEP_LOW = (4 * HALF_PI_LOW) / CIRCLE_STEPS;
const STEPS_PER_RADIAN = 1 / (STEP_HIGH + STEP_LOW);

/** Sines of a full circle, with exact zeros. */
const SINES = Float64Array.from({ length: CIRCLE_STEPS + 1 }, (_, i) =>
  i % (CIRCLE_STEPS / 2) === 0 && i > 0 ? 0 : Math.sin(i * STEP_HIGH + i * STEP_LOW),
);
const COSINES = Float64Array.from({ length: CIRCLE_STEPS + 1 }, (_, i) =>
  i % (CIRCLE_STEPS / 2) === CIRCLE_STEPS / 4 ? 0 : Math.cos(i * STEP_HIGH + i * STEP_LOW),
);

/** The cosine of an angle of at most a few circles. */
function cosine(angle: number): number {
  const a = Math.abs(angle);
  const step = Math.trunc(a * STEPS_PER_RADIAN + 0.5);
  const delta = a - step * STEP_HIGH - step * STEP_LOW;
  const cos = COSINES[step % CIRCLE_STEPS] as number;
  const sin = SINES[step % CIRCLE_STEPS] as number;
  return (
    cos +
    delta * (-sin + delta * (-cos * (1 / 2) + delta * (sin * (1 / 6) + delta * cos * (1 / 24))))
  );
}

const ARC_END = Math.sin(73 * RADIANS);
const ARC_STEPS = 8192;
const ARC_STEP = ARC_END / ARC_STEPS;
const STEPS_PER_SINE = 1 / ARC_STEP;

/**
 * The arc sine and its derivatives at each step, each divided by the factorial of its order: a
 * Taylor series around the step.
 */
const ARCS = Array.from({ length: ARC_STEPS + 1 }, (_, i): readonly number[] => {
  const x = i * ARC_STEP;
  const inverse = 1 / (1 - x * x);
  const root = Math.sqrt(inverse);
  const third = root * inverse;
  const fifth = third * inverse;
  const seventh = fifth * inverse;
  return [
    Math.asin(x),
    root,
    x * third * (1 / 2),
    (1 + 2 * x * x) * fifth * (1 / 6),
    (5 + 2 * x * (2 + x * (5 - 2 * x))) * seventh * (1 / 24),
  ];
});

/** The arc sine of a number from 0 to 1. */
function arcSine(sine: number): number {
  if (sine > ARC_END) return steepArcSine(sine);
  const step = Math.trunc(sine * STEPS_PER_SINE + 0.5);
  const delta = sine - step * ARC_STEP;
  const [arc = 0, first = 0, second = 0, third = 0, fourth = 0] = ARCS[step] ?? [];
  return arc + delta * (first + delta * (second + delta * (third + delta * fourth)));
}

/** The arc sine near 1, where the table is too coarse. Source: fdlibm's `e_asin.c`. */
function steepArcSine(sine: number): number {
  if (sine >= 1) return sine === 1 ? Math.PI / 2 : Number.NaN;
  const t = (1 - sine) * 0.5;
  const p =
    t *
    (1.666_666_666_666_666_574_15e-1 +
      t *
        (-3.255_658_186_224_009_154_05e-1 +
          t *
            (2.012_125_321_348_629_258_81e-1 +
              t *
                (-4.005_553_450_067_941_140_27e-2 +
                  t * (7.915_349_942_898_145_321_76e-4 + t * 3.479_331_075_960_211_675_7e-5)))));
  const q =
    1 +
    t *
      (-2.403_394_911_734_414_218_78 +
        t *
          (2.020_945_760_233_505_694_71 +
            t * (-6.882_839_716_054_532_930_3e-1 + t * 7.703_815_055_590_193_527_91e-2)));
  const s = Math.sqrt(t);
  const z = s + s * (p / q);
  return HALF_PI - (z + z - HALF_PI_REST);
}

const HALF_PI = 1.570_796_326_794_896_558;
const HALF_PI_REST = 6.123_233_995_736_766_035_87e-17;
