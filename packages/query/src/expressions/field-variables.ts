/**
 * Variables that read fields of a document: `doc['field']` and its members. Fields without a value
 * are 0.
 *
 * Source: `ExpressionScriptEngine.getDocValueSource`, `NumericField`, `DateField`, `DateObject`,
 * `GeoField` of lang-expression.
 */
import { illegalArgument, lookup } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import type { DocValues, ScriptLookup } from "../language/script.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { dateMethods, datePartMethods, dateParts, type DatePart } from "./date-parts.ts";
import { SyntaxFailure } from "./failures.ts";
import { pathOfVariable, type PathPart } from "./variable-path.ts";

/** Opens a variable on a segment. The result maps documents to numbers. */
export type OpenVariable = (segment: SegmentContext) => (doc: number) => number;

/** Computes a number from the `count` values of the current document. */
type Read = (values: DocValues, count: number) => number;

/**
 * Resolves a variable such as `doc['price'].value` to a reader.
 * @throws SyntaxFailure or OperationError, which the caller reports as cause of a link error
 */
export function fieldVariable(variable: string, lookupOf: ScriptLookup): OpenVariable {
  const path = pathOfVariable(variable);
  const [object, named] = path;
  if (object?.text !== "doc")
    throw new SyntaxFailure(`Unknown variable [${object?.text ?? ""}]`, 0);
  if (named?.kind !== "text-index") {
    throw new SyntaxFailure(
      "Variable 'doc' must be used with a specific field like: doc['myfield']",
      3,
    );
  }
  const member = memberOf(variable, path);
  const name = named.text;
  const field = lookupOf.field(name);
  if (field === undefined) throw new SyntaxFailure(`Field [${name}] does not exist in mappings`, 5);
  const open = lookupOf.values(field);
  const read = readerOf(field, name, member);
  return (segment) => {
    const values = open(segment);
    return (doc) => read(values, values.at(doc));
  };
}

/** The member that a variable reads of its field. */
interface Member {
  readonly isMethod: boolean;
  readonly name: string;
  /** True for members of `doc['field'].date`. */
  readonly isOfDate: boolean;
}

/** Without a member the variable reads `value`. */
function memberOf(variable: string, path: readonly PathPart[]): Member {
  const [, , part, last] = path;
  if (part === undefined) return { isMethod: false, name: "value", isOfDate: false };
  if (path.length === 3) {
    if (part.kind === "member" || part.kind === "method")
      return { isMethod: part.kind === "method", name: part.text, isOfDate: false };
    throw illegalArgument(
      "Only member variables or member methods may be accessed on a field when not accessing the field directly",
    );
  }
  const isDate = path.length === 4 && (part.text === "date" || part.text === "getDate");
  if (isDate && (last?.kind === "member" || last?.kind === "method"))
    return { isMethod: last.kind === "method", name: last.text, isOfDate: true };
  throw illegalArgument(
    `Variable [${variable}] does not follow an allowed format of either doc['field'] or doc['field'].method()`,
  );
}

/** Checks that the type of the field supports the member. */
function readerOf(field: CompiledField, name: string, member: Member): Read {
  if (field.values.kind === "geo_point")
    return found(member, { what: `geo field [${name}]`, ...GEO });
  if (field.dateFormat !== undefined) {
    if (member.isOfDate)
      return found(member, {
        what: `date object on field [${name}]`,
        variables: reads(dateParts),
        methods: reads(datePartMethods),
      });
    return found(member, {
      what: `date field [${name}]`,
      variables: VARIABLES,
      methods: { ...METHODS, ...reads(dateMethods) },
    });
  }
  const isNumber =
    field.values.kind === "numbers" ||
    field.name === "_seq_no" ||
    (field.values.kind === "terms" && field.values.format === "boolean");
  if (!isNumber) throw new SyntaxFailure(`Field [${name}] must be numeric, date, or geopoint`, 5);
  return found(member, {
    what: `numeric field [${name}]`,
    variables: VARIABLES,
    methods: METHODS,
  });
}

type Reads = Readonly<Record<string, Read>>;

/** The members of one type of field; `what` names the type in errors. */
interface Members {
  readonly what: string;
  readonly variables: Reads;
  readonly methods: Reads;
}

function found({ isMethod, name }: Member, { what, variables, methods }: Members): Read {
  const read = lookup(isMethod ? methods : variables, name);
  if (read !== undefined) return read;
  throw illegalArgument(
    `Member ${isMethod ? "method" : "variable"} [${name}] does not exist for ${what}.`,
  );
}

const first: Read = (values, count) => (count === 0 ? 0 : values.number(0));
const size: Read = (_values, count) => count;
const isEmpty: Read = (_values, count) => (count === 0 ? 1 : 0);

const VARIABLES: Reads = { value: first, empty: isEmpty, length: size };

const METHODS: Reads = {
  getValue: first,
  isEmpty,
  size,
  min: first,
  max: (values, count) => (count === 0 ? 0 : values.number(count - 1)),
  avg: (values, count) => (count === 0 ? 0 : sum(values, count) / count),
  median: (values, count) => (count === 0 ? 0 : median(values, count)),
  sum,
  count: size,
};

function sum(values: DocValues, count: number): number {
  let total = 0;
  for (let i = 0; i < count; i += 1) total += values.number(i);
  return total;
}

function median(values: DocValues, count: number): number {
  const middle = Math.floor((count - 1) / 2);
  if (count % 2 === 1) return values.number(middle);
  return (values.number(middle) + values.number(middle + 1)) / 2;
}

const lat: Read = (values, count) => (count === 0 ? 0 : (values.point?.(0).lat ?? 0));
const lon: Read = (values, count) => (count === 0 ? 0 : (values.point?.(0).lon ?? 0));
/** The product has `empty` inverted for points: it is 1 if there is a point. */
const hasPoint: Read = (_values, count) => (count === 0 ? 0 : 1);

const GEO: Pick<Members, "variables" | "methods"> = {
  variables: { empty: hasPoint, lat, lon },
  methods: { isEmpty: hasPoint, getLat: lat, getLon: lon },
};

function reads(parts: Readonly<Record<string, DatePart>>): Reads {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]): [string, Read] => [
      name,
      (values, count) => (count === 0 ? 0 : part(values.number(0))),
    ]),
  );
}
