/**
 * `terms`: a bucket for each value of a field, by default those with most documents first. The type
 * of the field, or of the script, decides which class counts. Source: `TermsAggregatorFactory`.
 */
import { latin1Text, OperationError } from "@orrery/stdx";
import { parseIp } from "../mapping/types/ip.ts";
import type { Cursor } from "../language/cursor.ts";
import type { CompiledField } from "../language/field-type.ts";
import { NumberTerms } from "./number-terms.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { StringTerms, type Words } from "./string-terms.ts";
import { termsAggregation } from "./terms-aggregation.ts";
import { parseInclude } from "./terms-filter.ts";
import { BUCKET_OPTIONS, parseBuckets, type TermsPartial, type TermsSpec } from "./terms-spec.ts";
import { RAW } from "./value-format.ts";
import { ScriptTerms } from "./script-terms.ts";
import { scriptedField } from "./values.ts";

/** Parses a `terms` aggregation. */
export function parseTerms(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "terms", [
    ...BUCKET_OPTIONS,
    "include",
    "exclude",
    "execution_hint",
  ]);
  const spec: TermsSpec = {
    ...parseBuckets(head, options),
    filter: parseInclude(options.cursor("include"), options.cursor("exclude")),
    values: options.values(),
  };
  return termsAggregation(spec, (context) => createTerms(spec, context));
}

/**
 * The collector for the field's type on this shard.
 * @throws OperationError if the field, or a regular expression, does not fit
 */
function createTerms(spec: TermsSpec, context: AggregationContext): Aggregator<TermsPartial> {
  const field = scriptedField(context, spec.values);
  const { script } = spec.values;
  if (script !== undefined && givesTexts(spec, field))
    return new ScriptTerms(spec, context, { script, field });
  if (field !== undefined && field.values.kind === "terms" && field.values.format !== "boolean") {
    const { values } = field;
    const isIp = values.format === "ip";
    if (isIp && spec.filter?.isPattern === true) throw patternRefused(spec, "values");
    const name = field.aliasOf ?? field.name;
    // Addresses stay bytes, whose order is theirs, and are printed at the end.
    const words: Words = isIp
      ? { name, decode: latin1Text, canonical: (text) => latin1Text(parseIp(text)), format: "ip" }
      : { name, decode: (term) => String(values.decode(term)), canonical: String, format: RAW };
    return new StringTerms(spec, context, words);
  }
  if (field === undefined) {
    const { missing, valueType } = spec.values;
    const isNumber =
      typeof missing === "number" || (valueType !== undefined && NUMBER_TYPES.has(valueType));
    if (!isNumber)
      return new StringTerms(spec, context, {
        name: "",
        decode: String,
        canonical: String,
        format: RAW,
      });
  }
  if (spec.filter?.isPattern === true) {
    throw patternRefused(
      spec,
      "numeric values for include/exclude clauses used to filter numeric fields",
    );
  }
  return new NumberTerms(spec, context);
}

/**
 * Whether keys are texts: scripts over fields of text, and scripts without a field and
 * `value_type`.
 */
function givesTexts({ values }: TermsSpec, field: CompiledField | undefined): boolean {
  if (field === undefined)
    return values.field === undefined && !NUMBER_TYPES.has(values.valueType ?? "string");
  return field.values.kind === "terms" && field.values.format !== "boolean";
}

/** Values of `value_type` whose keys are numbers. */
const NUMBER_TYPES: ReadonlySet<string> = new Set(["long", "double", "number", "date", "boolean"]);

function patternRefused({ head }: TermsSpec, what: string): OperationError {
  return new OperationError({
    type: "aggregation_execution_exception",
    reason: `Aggregation [${head.name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of ${what}${what === "values" ? " for include/exclude clauses" : ""}`,
    status: 500,
  });
}
