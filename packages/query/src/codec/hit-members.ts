/**
 * A hit as response members, in the product's order. The source is inserted as bytes, unparsed.
 * Source: `SearchHit.toInnerXContent`.
 */
import { double, float, printDecimal } from "../json/json-text.ts";
import type { Explanation } from "../language/explanation.ts";
import { Decimal, RawJson, type PrintedJson } from "../json/printable.ts";
import type { Hit, HitDetails, HitValue, MatchedQuery } from "../language/hits.ts";

/** Members that are undefined are not printed. */
type Members = { [member: string]: PrintedJson | undefined };

/** The members of a hit in a response. Most hits have no details, and get a smaller object. */
export function hitMembers(hit: Hit): { readonly [member: string]: PrintedJson | undefined } {
  const { details } = hit;
  if (details !== undefined) return withDetails(hit, details);
  const members: Members = { _index: hit.index };
  if (hit.id !== undefined) members["_id"] = hit.id;
  members["_score"] = scoreOf(hit);
  if (hit.source !== undefined) members["_source"] = new RawJson(hit.source);
  if (hit.sort !== undefined) members["sort"] = hit.sort.map(printValue);
  return members;
}

function withDetails(hit: Hit, details: HitDetails): Members {
  const { index, id, source, sort } = hit;
  const { copy, fields, highlight, matchedQueries, explanation } = details;
  return {
    _shard: copy === undefined ? undefined : `[${index}][${copy.shard}]`,
    _node: copy?.nodeId,
    _index: index,
    _id: id,
    _version: details.version,
    _seq_no: details.seqNo,
    _primary_term: details.primaryTerm,
    _score: scoreOf(hit),
    _ignored: details.ignored,
    _routing: details.routing,
    _source: source === undefined ? undefined : new RawJson(source),
    fields: fields === undefined ? undefined : printFields(fields),
    highlight,
    sort: sort?.map(printValue),
    matched_queries: matchedQueries === undefined ? undefined : printMatched(matchedQueries),
    _explanation: explanation === undefined ? undefined : printExplanation(explanation),
  };
}

function scoreOf({ score }: Hit): PrintedJson {
  return Number.isNaN(score) ? null : float(score);
}

function printFields(fields: NonNullable<HitDetails["fields"]>): PrintedJson {
  return Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [name, values.map(printValue)]),
  );
}

/** A list of names, or an object of scores if any query has one. */
function printMatched(matched: readonly MatchedQuery[]): PrintedJson {
  const names = matched.map(({ name }) => name);
  if (matched.every(({ score }) => score === undefined)) return names;
  return Object.fromEntries(
    matched.map(({ name, score }) => [name, score === undefined ? null : float(score)]),
  );
}

function printValue(value: HitValue): PrintedJson {
  return value instanceof Decimal ? printDecimal(value) : value;
}

/** An explanation as a response prints it: counts as integers, other values as floats. */
export function printExplanation({
  value,
  description,
  details,
  isCount,
}: Explanation): PrintedJson {
  return {
    value:
      isCount === true
        ? value
        : Number.isInteger(value)
          ? double(value)
          : float(Math.fround(value)),
    description,
    details: details.map(printExplanation),
  };
}
