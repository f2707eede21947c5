/** Columns of a cat table, and the values of cells before they are formatted. */
import { formatByteSize, formatDuration, lookup } from "@orrery/stdx";

/** Value of a cell; `undefined` is an empty cell. */
export type Cell = string | number | boolean | undefined | Bytes | Duration | Ranked;

/** A size in bytes, printed in the unit that the parameter `bytes` names and sorted by its number. */
export interface Bytes {
  readonly bytes: number;
}

/** A duration in milliseconds, printed in the unit that the parameter `time` names and sorted by its number. */
export interface Duration {
  readonly ms: number;
}

/** A text with a sort order of its own, such as the values of an enumeration. */
export interface Ranked {
  readonly text: string;
  readonly rank: number;
}

/** A column of a cat table: its names, its help text, and the cell of a row. */
export interface Column<Row> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** Whether the column is shown when `h` selects none. */
  readonly isDefault: boolean;
  readonly isRight: boolean;
  /** Whether `?pri` adds the column's counterpart over primaries (`pri.…`) beside it. */
  readonly hasPrimary?: boolean;
  readonly cell: (row: Row) => Cell;
}

interface ColumnOptions {
  readonly aliases?: string;
  readonly description?: string;
  readonly isDefault?: boolean;
  readonly isRight?: boolean;
  readonly hasPrimary?: boolean;
}

/** A column; by default it is shown and left-aligned. */
export function column<Row>(
  name: string,
  cell: (row: Row) => Cell,
  options: ColumnOptions = {},
): Column<Row> {
  const {
    aliases = "",
    description = "not available",
    isDefault = true,
    isRight = false,
  } = options;
  return {
    name,
    aliases: aliases === "" ? [] : aliases.split(","),
    description,
    isDefault,
    isRight,
    ...(options.hasPrimary === undefined ? {} : { hasPrimary: options.hasPrimary }),
    cell,
  };
}

export function sizeCell(bytes: number | undefined): Cell {
  return bytes === undefined ? undefined : { bytes };
}

export function timeCell(ms: number | undefined): Cell {
  return ms === undefined ? undefined : { ms };
}

/** Units of `bytes` and `time`; `undefined`: each value with a unit of suitable size, such as `1.2kb`. */
export interface Units {
  readonly bytes: string | undefined;
  readonly time: string | undefined;
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  k: 1024,
  kb: 1024,
  m: 1024 ** 2,
  mb: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1024 ** 3,
  t: 1024 ** 4,
  tb: 1024 ** 4,
  p: 1024 ** 5,
  pb: 1024 ** 5,
};

const TIME_UNITS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The text of a cell; `undefined` for an empty cell. An unknown unit is ignored, as in the product. */
export function cellText(cell: Cell, units: Units): string | undefined {
  if (cell === undefined) return undefined;
  if (typeof cell !== "object") return String(cell);
  if ("text" in cell) return cell.text;
  if ("bytes" in cell) {
    const unit = lookup(BYTE_UNITS, units.bytes ?? "");
    return unit === undefined ? formatByteSize(cell.bytes) : String(Math.floor(cell.bytes / unit));
  }
  const unit = lookup(TIME_UNITS, units.time ?? "");
  return unit === undefined ? formatDuration(cell.ms) : String(Math.floor(cell.ms / unit));
}

/**
 * Orders cells for `s=`: empty cells first; numbers, sizes and durations by value, `Ranked` by rank, all others by
 * text.
 */
export function compareCells(a: Cell, b: Cell): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? -1 : 1;
  const [left, right] = [orderOf(a), orderOf(b)];
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [leftText, rightText] = [String(left), String(right)];
  return leftText === rightText ? 0 : leftText < rightText ? -1 : 1;
}

function orderOf(cell: NonNullable<Cell>): string | number {
  if (typeof cell === "object") {
    if ("text" in cell) return cell.rank;
    return "bytes" in cell ? cell.bytes : cell.ms;
  }
  return typeof cell === "boolean" ? String(cell) : cell;
}
