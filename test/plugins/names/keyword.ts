/** The column of a keyword field, for rows that read names and nothing else. */
import { fieldOf, shardError, type BuildContext } from "@orrery/query/extension";

export function keywordOf(context: BuildContext, name: string): string {
  const field = fieldOf(context, name);
  if (field?.type !== "keyword") throw shardError(context, `[${name}] is no keyword`);
  return field.aliasOf ?? name;
}
