/** Reference page of the REST operations, generated from their table (`npm run reference`). */
import type { Operation } from "./operation.ts";
import { unbuiltOperations } from "./unbuilt.ts";

/** Contents of the page docs/reference/rest.md. */
export function restReference(operations: readonly Operation[]): string {
  const row = ({ group, routes }: Pick<Operation, "group" | "routes">): string =>
    `| ${group} | ${routes.map((route) => `\`${route}\``).join(", ")} |`;
  const inOrder = operations.toSorted((a, b) => (a.group < b.group ? -1 : 1));
  const head = ["| Operation | Routes |", "| --- | --- |"];
  return [
    "# REST operations",
    "",
    "Made by `npm run reference` from the tables of operations. Differences of the operations from OpenSearch are in",
    "[deviations](../deviations.md), errors in [errors](../errors.md).",
    "",
    "## Operations that are missing",
    "",
    `${unbuiltOperations.length} operations of OpenSearch's core are not built, or some of their routes. A request for one is answered with 400,`,
    "`unsupported_operation_exception` and `Orrery has no operation […] yet`. With `-E orrery.strict=true` it is answered in the words that OpenSearch has for a",
    "path without an operation, such as `no handler found for uri […]` or `Invalid index name […]`; so is, in both modes, a path that OpenSearch does not know",
    "either. Operations of OpenSearch's plugins (`_plugins/…`) are missing, too, except those in the list below.",
    "",
    ...head,
    ...unbuiltOperations.map(row),
    "",
    "## Operations that are there",
    "",
    ...head,
    ...inOrder.map(row),
    "",
  ].join("\n");
}
