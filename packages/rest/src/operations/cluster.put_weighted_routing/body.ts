/** Body of a change of weights. Source: `ClusterPutWeightedRoutingRequest.setWeightedRouting`. */
import { weightText } from "@orrery/cluster-state";
import { isJsonObject, OperationError, setKey, type Json, type JsonObject } from "@orrery/stdx";
import type { Content } from "../../content.ts";
import { numberFormatProblem } from "../../parameters.ts";

/** The parsed body of a change of weights: weight by attribute value, and the expected version. */
export interface WeightsBody {
  readonly weights: Readonly<Record<string, number>>;
  /** The version; `undefined` when the body has none. */
  readonly version: number | undefined;
}

/** Parses the weights of one attribute. */
export function weightsBody(content: Content, attribute: string): WeightsBody {
  const body = content.json();
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    throw unreadable("Empty request body");
  }
  let weights: Readonly<Record<string, number>> = {};
  let version: number | undefined;
  for (const [key, value] of Object.entries(body)) {
    if (key === "weights") {
      weights = readWeights(value);
    } else if (key === "_version") {
      version = readVersion(value, attribute);
    } else {
      throw unreadable(`failed to parse weighted routing request object [${key}]`);
    }
  }
  return { weights, version };
}

function readWeights(value: Json | undefined): Readonly<Record<string, number>> {
  if (!isJsonObject(value)) {
    throw unreadable("failed to parse weighted routing request object  [weights], expected object");
  }
  return eachWeight(value);
}

/** Weights must be strings. The error for another value names the attribute value before it, as in the product. */
function eachWeight(given: JsonObject): Readonly<Record<string, number>> {
  const weights: Record<string, number> = {};
  let last: number | undefined;
  for (const [value, weight] of Object.entries(given)) {
    if (typeof weight !== "string") {
      const before = last === undefined ? "null" : weightText(last);
      throw unreadable(
        `failed to parse weighted routing request attribute [${before}], unknown type`,
      );
    }
    last = parseDouble(weight);
    setKey(weights, value, last);
  }
  return weights;
}

function readVersion(value: Json | undefined, attribute: string): number | undefined {
  if (value === noVersion) return undefined;
  if (typeof value === "number") return Math.trunc(value);
  throw unreadable(`failed to parse weighted routing request [${attribute}], unknown type`);
}

/** Version of a request whose body has none. */
const noVersion = -2;

const decimal = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[dDfF]?$/;

/** Parses like Java's `Double.parseDouble`, without hexadecimal, infinite and NaN forms. */
function parseDouble(text: string): number {
  const value = Number(decimal.exec(text.trim())?.[1]);
  if (Number.isFinite(value)) return value;
  if (text.trim() === "") {
    throw new OperationError({ ...numberFormatProblem(text), reason: "empty String" });
  }
  throw new OperationError(numberFormatProblem(text));
}

/** The `parse_exception` (400) for a malformed body. */
export function unreadable(reason: string): OperationError {
  return new OperationError({ type: "parse_exception", reason, status: 400 });
}
