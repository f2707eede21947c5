/** YAML as fields with their places. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
} from "yaml";
import {
  isFields,
  refuse,
  type Field,
  type Fields,
  type FieldValue,
  type Place,
} from "./fields.ts";

/** More than any plan that a person or a shrinker writes. */
const LARGEST_TEXT = 1 << 20;

export function readYaml(file: string, text: string): Fields {
  const start = { file, line: 1, column: 1 };
  if (text.length > LARGEST_TEXT)
    throw refuse(start, `a scenario must not be larger than ${LARGEST_TEXT} characters`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const [problem] = document.errors;
  if (problem)
    throw refuse(placeOf(problem.pos[0]), problem.message.replace(/ at line \d[^]*/, ""));
  const value = valueOf(document, document.contents, placeOf);
  if (!isFields(value)) throw refuse(start, "a scenario must be an object");
  return value;
}

function valueOf(
  document: Document,
  given: Node | null,
  placeOf: (offset: number) => Place,
): FieldValue {
  const node = isAlias(given) ? (given.resolve(document) ?? null) : given;
  const place = placeOf(node?.range?.[0] ?? 0);
  if (isMap(node)) {
    const entries = node.items.map((pair): [string, Field] => {
      const key = pair.key as Node | null;
      const keyPlace = placeOf(key?.range?.[0] ?? 0);
      return [
        isScalar(key) ? String(key.value) : "",
        { place: keyPlace, value: valueOf(document, pair.value as Node | null, placeOf) },
      ];
    });
    return { place, values: new Map(entries) };
  }
  if (isSeq(node)) {
    return node.items.map((item) => ({
      place: placeOf((item as Node).range?.[0] ?? 0),
      value: valueOf(document, item as Node, placeOf),
    }));
  }
  if (!isScalar(node)) return null;
  const { value } = node;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}
