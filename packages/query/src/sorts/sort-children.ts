/** The nested objects whose values sort their enclosing documents. */
import type { CompiledField } from "../language/field-type.ts";
import type { BuildContext } from "../language/query.ts";
import { buildExpanded } from "../queries/query.ts";
import type { FieldSort } from "./field-sort.ts";
import { type ChildrenOf, nestedChildren } from "../execution/nested-children.ts";
import type { SegmentContext } from "../language/searcher.ts";

/**
 * The nested documents whose values sort their root documents: those of the sort's `nested`, or
 * else of the field's own path. `undefined`: the values are those of the sorted documents
 * themselves.
 */
export function childrenOf(
  key: FieldSort,
  field: CompiledField,
  context: BuildContext,
): ((segment: SegmentContext) => ChildrenOf) | undefined {
  const path = key.nested?.path ?? field.nestedPath;
  if (path === undefined || path === context.nestedPath) return undefined;
  const filter = key.nested?.filter;
  const plan =
    filter === undefined ? undefined : buildExpanded(filter, { ...context, nestedPath: path }, 1);
  return nestedChildren(path, plan, context.searcher);
}
