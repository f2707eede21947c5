/**
 * Collapsing: only the best of the documents that share a value stays. Source: Lucene's
 * `CollapsingTopDocsCollector`.
 */
import { illegalArgument } from "@orrery/stdx";
import type { Collapse } from "../request/options.ts";
import type { SortValue, TopDoc } from "../language/results.ts";
import type { Prepared } from "../language/query.ts";

/**
 * The first document of each value, with the value. `docs` are best first. Documents without a
 * value are one group.
 * @throws OperationError 400 if the field cannot be collapsed on
 */
export function collapseDocs(
  docs: readonly TopDoc[],
  { field: name }: Collapse,
  { context, searcher }: Prepared,
): TopDoc[] {
  const field = context.mapping.compiledField(name);
  if (field === undefined)
    throw illegalArgument(`no mapping found for \`${name}\` in order to collapse on`);
  if (!field.isCollapsible) {
    throw illegalArgument(
      `unknown type for collapse field \`${name}\`, only keywords and numbers are accepted`,
    );
  }
  if (!field.hasDocValues)
    throw illegalArgument(`cannot collapse on field \`${name}\` without \`doc_values\``);
  const column = field.aliasOf ?? field.name;
  const { values } = field;
  const valueOf = (top: TopDoc): SortValue => {
    const reader = searcher.segments[top.segment]?.reader;
    if (values.kind === "numbers") {
      const numbers = reader?.numbers(column);
      return numbers?.has(top.doc) === true ? values.read(numbers, numbers.start(top.doc)) : null;
    }
    const ordinals = reader?.ordinals(column);
    const ord = ordinals?.ord(top.doc) ?? -1;
    return ordinals === undefined || ord < 0 ? null : ordinals.dictionary.text(ord);
  };
  const seen = new Set<SortValue>();
  const kept: TopDoc[] = [];
  for (const doc of docs) {
    const value = valueOf(doc);
    if (seen.has(value)) continue;
    seen.add(value);
    kept.push({ ...doc, collapse: value });
  }
  return kept;
}
