/** How cat tables are laid out. */
import { describe, expect, test } from "vitest";
import { column, sizeCell, timeCell } from "../src/cat/column.ts";
import { tableHelp, tableJson, tableText, type TableView } from "../src/cat/render.ts";

interface Row {
  readonly name: string;
  readonly docs: number | undefined;
  readonly bytes: number;
}

const columns = [
  column<Row>("name", ({ name }) => name, { aliases: "n", description: "the name" }),
  column<Row>("docs", ({ docs }) => docs, {
    aliases: "d,dc",
    description: "documents",
    isRight: true,
  }),
  column<Row>("store", ({ bytes }) => sizeCell(bytes), { isRight: true, hasPrimary: true }),
  column<Row>("pri.store", ({ bytes }) => sizeCell(bytes / 2), { isRight: true, isDefault: false }),
  column<Row>("took", ({ bytes }) => timeCell(bytes), { isDefault: false }),
];

const rows: readonly Row[] = [
  { name: "long-name", docs: 5, bytes: 2048 },
  { name: "b", docs: undefined, bytes: 1536 },
  { name: "c", docs: 12, bytes: 100 },
];

const plain: TableView = {
  columns: undefined,
  sort: [],
  isWithHeader: false,
  isWithPrimaries: false,
  isWithTime: undefined,
  bytes: undefined,
  time: undefined,
};

describe("a cat table", () => {
  test("pads columns to their widest cell; numbers stand at the right", () => {
    expect(tableText(columns, rows, plain)).toBe(
      "long-name  5   2kb\nb            1.5kb\nc         12  100b\n",
    );
  });

  test("with v the header counts for the width", () => {
    expect(tableText(columns, rows.slice(2), { ...plain, isWithHeader: true })).toBe(
      "name docs store\nc      12  100b\n",
    );
  });

  test("h chooses by name, alias and pattern; unknown names leave empty lines", () => {
    expect(
      tableText(columns, rows.slice(2), { ...plain, columns: ["d", "na*"], isWithHeader: true }),
    ).toBe(" d name\n12 c\n");
    expect(tableText(columns, rows, { ...plain, columns: ["nosuch"] })).toBe("\n\n\n");
  });

  test("pri shows the primaries' column beside the one that was asked for", () => {
    expect(
      tableText(columns, rows.slice(0, 1), { ...plain, columns: ["store"], isWithPrimaries: true }),
    ).toBe("2kb 1kb\n");
  });

  test("s sorts by value, missing ones first, and desc turns it round", () => {
    const names = (sort: string[]): string =>
      tableText(columns, rows, { ...plain, columns: ["name"], sort });

    expect(names(["docs"])).toBe("b\nlong-name\nc\n");
    expect(names(["docs:desc"])).toBe("c\nlong-name\nb\n");
    expect(() => names(["nosuch"])).toThrow("Unable to sort by unknown sort key `nosuch`");
  });

  test("bytes and time choose the unit; an unknown one is passed over", () => {
    const view = { ...plain, columns: ["store", "took"] };

    expect(tableText(columns, rows.slice(0, 1), { ...view, bytes: "b", time: "s" })).toBe(
      "2048 2\n",
    );
    expect(tableText(columns, rows.slice(0, 1), { ...view, bytes: "foo", time: "foo" })).toBe(
      "2kb 2s\n",
    );
  });

  test("as JSON every cell is a text or null", () => {
    expect(tableJson(columns, rows.slice(1, 2), plain)).toEqual([
      { name: "b", docs: null, store: "1.5kb" },
    ]);
  });

  test("help lists name, aliases and description of every column", () => {
    expect(tableHelp(columns.slice(0, 2))).toBe(
      "name | n    | the name \ndocs | d,dc | documents\n",
    );
  });
});
