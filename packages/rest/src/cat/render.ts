/** Formatting of a cat table as text or JSON. Source: `RestTable`. */
import { greatest, isGlob, matchesGlob, OperationError } from "@orrery/stdx";
import type { Printable } from "../json/printable.ts";
import { cellText, compareCells, type Column, type Units } from "./column.ts";

/** Options of a cat table, from the parameters of the request. */
export interface TableView extends Units {
  /** Columns of `h`; `undefined`: the default columns. */
  readonly columns: readonly string[] | undefined;
  /** Columns of `s`, each with an optional `:desc` or `:asc`. */
  readonly sort: readonly string[];
  /** `v`: print a header line. */
  readonly isWithHeader: boolean;
  /** `pri`: add the columns over primaries. */
  readonly isWithPrimaries: boolean;
  /** `ts`: show the two time columns; `undefined` for tables without them. */
  readonly isWithTime: boolean | undefined;
}

interface Shown<Row> {
  readonly column: Column<Row>;
  /** Title as the request names the column: an alias stays an alias. */
  readonly title: string;
}

/** The table as text with aligned columns, one line per row. */
export function tableText<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: TableView,
): string {
  const shown = shownColumns(columns, view);
  const cells = sorted(columns, rows, view.sort).map((row) =>
    shown.map(({ column }) => cellText(column.cell(row), view) ?? ""),
  );
  const widths = shown.map(({ title }, i) =>
    Math.max(
      view.isWithHeader ? title.length : 0,
      0,
      greatest(cells.map((row) => row[i]?.length ?? 0)),
    ),
  );
  const line = (texts: readonly string[]): string => {
    const padded = texts.map((text, i) => {
      const width = widths[i] ?? 0;
      if (shown[i]?.column.isRight === true) return text.padStart(width);
      return i === texts.length - 1 ? text : text.padEnd(width);
    });
    return `${padded.join(" ")}\n`;
  };
  const header = view.isWithHeader ? line(shown.map(({ title }) => title)) : "";
  return header + cells.map(line).join("");
}

/** The table as a list with an object for each row, whose values are texts; an empty cell is null. */
export function tableJson<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: TableView,
): Printable {
  const shown = shownColumns(columns, view);
  return sorted(columns, rows, view.sort).map((row) =>
    Object.fromEntries(
      shown.map(({ column, title }) => [title, cellText(column.cell(row), view) ?? null]),
    ),
  );
}

/** The help text: one line per column with name, aliases, description. */
export function tableHelp<Row>(columns: readonly Column<Row>[]): string {
  const lines = columns.map(
    ({ name, aliases, description }) => [name, aliases.join(","), description] as const,
  );
  const width = (at: 0 | 1 | 2): number =>
    Math.max(0, greatest(lines.map((line) => line[at].length)));
  return lines
    .map(([name, aliases, description]) =>
      [name.padEnd(width(0)), aliases.padEnd(width(1)), description.padEnd(width(2))].join(" | "),
    )
    .map((text) => `${text}\n`)
    .join("");
}

function shownColumns<Row>(
  columns: readonly Column<Row>[],
  view: TableView,
): readonly Shown<Row>[] {
  if (view.columns === undefined) {
    return columns
      .filter(
        ({ isDefault, name }) =>
          isDefault && (view.isWithTime !== false || !TIME_COLUMNS.has(name)),
      )
      .map((column) => ({ column, title: column.name }));
  }
  return expanded(columns, view.columns).flatMap((title) => {
    const column = byNameOrAlias(columns, title);
    if (column === undefined) return [];
    const primary =
      view.isWithPrimaries && column.hasPrimary === true
        ? columns.find(({ name }) => name === `pri.${column.name}`)
        : undefined;
    const own = { column, title };
    return primary === undefined ? [own] : [own, { column: primary, title: `pri.${title}` }];
  });
}

const TIME_COLUMNS = new Set(["epoch", "timestamp"]);

/** The columns of `h`: patterns are expanded over names and aliases. */
function expanded<Row>(
  columns: readonly Column<Row>[],
  wanted: readonly string[],
): readonly string[] {
  const names = new Set<string>();
  for (const name of wanted) {
    if (!isGlob(name)) {
      names.add(name);
      continue;
    }
    for (const column of columns) {
      if ([column.name, ...column.aliases].some((candidate) => matchesGlob(name, candidate)))
        names.add(column.name);
    }
  }
  return [...names];
}

function byNameOrAlias<Row>(
  columns: readonly Column<Row>[],
  name: string,
): Column<Row> | undefined {
  return (
    columns.find((column) => column.name === name) ??
    columns.findLast(({ aliases }) => aliases.includes(name))
  );
}

function sorted<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  sort: readonly string[],
): readonly Row[] {
  const keys = sort.map((key) => {
    const isDescending = key.endsWith(":desc");
    const name = key.replace(/:(desc|asc)$/, "");
    const column = byNameOrAlias(columns, name);
    if (column !== undefined) return { column, isDescending };
    const reason = `Unable to sort by unknown sort key \`${name}\``;
    throw new OperationError({ type: "unsupported_operation_exception", reason, status: 500 });
  });
  if (keys.length === 0) return rows;
  return rows.toSorted((a, b) => {
    for (const { column, isDescending } of keys) {
      const order = compareCells(column.cell(a), column.cell(b));
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  });
}
