/** Filter of the events of a bundle: an event matches if it meets every criterion given. */

export interface EventFilter {
  /** Node that recorded the event, or that sent or received the message. */
  readonly node?: string;
  readonly index?: string;
  readonly shard?: number;
  /** Substring of a message's action, or of a client's operation. */
  readonly action?: string;
  readonly kind?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** SQL condition of a filter, with its parameters. */
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
