/** YAML parser that yields fields with their positions. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";
import {
  DEEPEST,
  deepSentence,
  isFields,
  refuse,
  type Field,
  type Fields,
  type FieldValue,
  type Place,
} from "./fields.ts";

/** Size limit, above that of any written or shrunk plan. */
const LARGEST_TEXT = 1 << 20;
/**
 * Limit of values, with each alias counted as all values that it stands for: a few lines of aliases can expand to
 * billions.
 */
const MOST_VALUES = 500_000;
/** Kind of text, for error messages. */
export interface TextKind {
  readonly says: string;
  /** True if a text without any value is an object without keys. */
  readonly mayBeEmpty: boolean;
}

const scenario: TextKind = { says: "a scenario", mayBeEmpty: false };

/** Fields of a YAML text. Throws `OperationError` (`parse_exception`) for invalid YAML. */
export function readYaml(file: string, text: string, kind: TextKind = scenario): Fields {
  const { says, mayBeEmpty } = kind;
  const start = { file, line: 1, column: 1 };
  if (text.length > LARGEST_TEXT)
    throw refuse(start, `${says} must not be larger than ${LARGEST_TEXT} characters`);
  if (text.trim() === "" && !mayBeEmpty) throw refuse(start, "the file is empty");
  const lines = new LineCounter();
  const document = parsed(text, lines);
  if (document === undefined) throw refuse(start, deepSentence);
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const [problem] = document.errors;
  if (problem) throw refuse(placeOf(problem.pos[0]), sentenceOf(problem, text, says));
  if (document.contents === null && mayBeEmpty) return { place: start, values: new Map() };
  const reading = { document, placeOf, depth: 0, count: { values: 0 }, says };
  const value = valueOf(document.contents, reading);
  if (!isFields(value)) throw refuse(start, `${says} must be an object`);
  return value;
}

/** Parsed document; `undefined` if it is nested so deeply that the recursive parser exhausts the stack. */
function parsed(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  try {
    return parseDocument(text, { lineCounter });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Message of the YAML library, reworded for users. */
function sentenceOf({ code, message, pos }: YAMLError, text: string, says: string): string {
  if (code === "MULTIPLE_DOCS") return `${says} is one document, and another one begins here`;
  if (code === "DUPLICATE_KEY") {
    const [key = ""] = /^[^:\n]*/.exec(text.slice(pos[0])) ?? [];
    return `the key [${key.trim()}] is said twice: keys must be unique`;
  }
  // A stack overflow of the recursive parser: the document is nested too deeply.
  if (message.startsWith("Maximum call stack")) return deepSentence;
  return message.replace(/ at line \d[^]*/, "");
}

interface Reading {
  readonly document: Document;
  readonly placeOf: (offset: number) => Place;
  readonly depth: number;
  readonly count: { values: number };
  readonly says: string;
}

/** Map with the entries of `<<` merged in: earlier merged maps win over later ones, own entries over all. */
function merged(given: ReadonlyMap<string, Field>): ReadonlyMap<string, Field> {
  const merge = given.get("<<");
  if (merge === undefined) return given;
  const own = [...given].filter(([key]) => key !== "<<");
  const sources = Array.isArray(merge.value) ? (merge.value as readonly Field[]) : [merge];
  const taken = sources.toReversed().flatMap(({ value, place }) => {
    if (isFields(value)) return [...value.values];
    throw refuse(place, "[<<] takes over the entries of a map, such as [<<: *name], or of several");
  });
  return new Map([...taken, ...own]);
}

function valueOf(given: Node | null, around: Reading): FieldValue {
  const { document, placeOf, count } = around;
  const givenPlace = placeOf(given?.range?.[0] ?? 0);
  if (around.depth > DEEPEST) throw refuse(givenPlace, deepSentence);
  if (++count.values > MOST_VALUES)
    throw refuse(givenPlace, `${around.says} must not come to more than ${MOST_VALUES} values`);
  const node = isAlias(given) ? given.resolve(document) : given;
  if (node === undefined) throw refuse(givenPlace, "no anchor before it has this name");
  const place = placeOf(node?.range?.[0] ?? 0);
  const below: Reading = { ...around, depth: around.depth + 1 };
  if (isMap(node)) {
    const entries = node.items.map((pair): [string, Field] => {
      const key = pair.key as Node | null;
      const keyPlace = placeOf(key?.range?.[0] ?? 0);
      return [
        isScalar(key) ? String(key.value) : "",
        { place: keyPlace, value: valueOf(pair.value as Node | null, below) },
      ];
    });
    return { place, values: merged(new Map(entries)) };
  }
  if (isSeq(node)) {
    return node.items.map((item) => ({
      place: placeOf((item as Node).range?.[0] ?? 0),
      value: valueOf(item as Node, below),
    }));
  }
  if (!isScalar(node)) return null;
  const { value } = node;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : null;
}
