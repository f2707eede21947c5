/** The nested documents whose values sort their parents. */
import type { CompiledField } from "../mapping/field.ts";
import { type BuildContext, buildExpanded } from "../queries/query.ts";
import type { FieldSort } from "../request/sort.ts";
import { type ChildrenOf, nestedChildren } from "./nested-children.ts";
import type { SegmentContext } from "./searcher.ts";

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
