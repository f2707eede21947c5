/** Which events of a bundle are meant: each criterion given must hold. */

export interface EventFilter {
  /** Recorded by it, or a message from or to it. */
  readonly node?: string;
  readonly index?: string;
  readonly shard?: number;
  /** Part of a message's action, or of a client's operation. */
  readonly action?: string;
  readonly kind?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

export function whereOf(filter: EventFilter): {
  readonly where: string;
  readonly values: readonly (string | number)[];
} {
  const { node, index, shard, action, kind, fromMs, toMs } = filter;
  const criteria: readonly (readonly [string, ...(string | number | undefined)[]])[] = [
    ["(node = ? OR sender = ? OR receiver = ?)", node, node, node],
    ["index_name = ?", index],
    ["shard = ?", shard],
    ["instr(action, ?) > 0", action],
    ["kind = ?", kind],
    ["at_ms >= ?", fromMs],
    ["at_ms <= ?", toMs],
  ];
  const given = criteria.filter(([, first]) => first !== undefined);
  const where = given.map(([sql]) => sql).join(" AND ");
  return {
    where: where === "" ? "" : `WHERE ${where}`,
    values: given.flatMap(([, ...values]) => values.filter((value) => value !== undefined)),
  };
}
