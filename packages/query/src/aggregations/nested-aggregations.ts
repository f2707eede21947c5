/**
 * `nested` and `reverse_nested`: from documents to their nested objects, and back to an enclosing
 * document. Source: `NestedAggregator`, `ReverseNestedAggregator`.
 */
import { OperationError } from "@orrery/stdx";
import { members, scalarText, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { nextBit } from "../execution/bits.ts";
import { nestedChildren } from "../execution/nested-children.ts";
import { nestedBits } from "../execution/weights/nested.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { singleBucket } from "./single-bucket.ts";

/** Parses a `nested` aggregation. Nested objects have no scores. */
export function parseNestedAggregation(head: AggregationHead, at: Cursor): Aggregation {
  let path = "";
  for (const [name, member] of members(at)) {
    if (name !== "path") throw unknownField(member, "nested", ["path"]);
    path = scalarText(member);
  }
  if (path === "")
    throw new OperationError({
      type: "parsing_exception",
      reason: `Missing [path] field for nested aggregation [${head.name}]`,
      status: 400,
    });
  return singleBucket(head, (context) => {
    const object = context.build.mapping.object(path);
    if (object !== undefined && !object.isNested) {
      throw new OperationError({
        type: "aggregation_execution_exception",
        reason: `[nested] nested path [${path}] is not nested`,
        status: 500,
      });
    }
    const open = nestedChildren(path, undefined, context.build.searcher);
    return (segment) => {
      const childrenOf = open(segment);
      return (docs, buckets, count, kept) => {
        for (let i = 0; i < count; i += 1) {
          const bucket = buckets === undefined ? 0 : (buckets[i] as number);
          for (const doc of childrenOf(docs[i] as number)) kept.add(doc, bucket, 0);
        }
      };
    };
  });
}

/** Bytes of a number in a set. */
const SEEN_BYTES = 40;

/** Parses a `reverse_nested` aggregation; without `path` it joins back to the root document. */
export function parseReverseNested(head: AggregationHead, at: Cursor): Aggregation {
  let path: string | undefined;
  for (const [name, member] of members(at)) {
    if (name !== "path") throw unknownField(member, "reverse_nested", ["path"]);
    path = scalarText(member);
  }
  return singleBucket(head, ({ budget }) => (segment) => {
    const parents =
      path === undefined ? segment.reader.roots?.words : nestedBits(segment.reader, path);
    return (docs, buckets, count, kept) => {
      if (parents === undefined) return;
      const seen = new Set<number>();
      for (let i = 0; i < count; i += 1) {
        const bucket = buckets === undefined ? 0 : (buckets[i] as number);
        const parent = nextBit(parents, docs[i] as number, segment.maxDoc);
        // Several children of one parent in one bucket count the parent once. Bucket and parent
        // make one number below 2^53.
        const key = bucket * 2_147_483_648 + parent;
        if (parent >= segment.maxDoc || seen.has(key)) continue;
        budget.hold(SEEN_BYTES);
        seen.add(key);
        kept.add(parent, bucket, 0);
      }
      budget.hold(-seen.size * SEEN_BYTES);
    };
  });
}
