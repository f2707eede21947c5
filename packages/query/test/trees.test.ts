/** The tree of a document: it prints as it was written, takes partial documents, and is parsed as the bytes that it prints. */
import { forSeeds, type Random } from "@orrery/seeds";
import { OperationError, utf8Decode, utf8Encode, type Problem } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  coreLanguage,
  createMapping,
  isTreeObject,
  mergeTrees,
  readStoredTree,
  readTree,
  sourceOfBytes,
  sourceOfTree,
  treeJson,
  type DocumentSource,
  type TreeObject,
} from "../src/index.ts";

const treeOf = (text: string): TreeObject => {
  const tree = readTree(utf8Encode(text));
  if (!isTreeObject(tree)) throw new Error(`no object: ${text}`);
  return tree;
};

const keys = ["a", "b", "10", "2", "007", "4294967295", "__proto__", "constructor", "é", "\\ud800"];
const numbers = ["0", "-0", "1.0", "1.50", "1e3", "1E-7", "12345678901234567890", "0.1e+10", "-3"];
const strings = [
  '""',
  '"x"',
  String.raw`"\ud83d\ude00"`,
  String.raw`"\udc00\ud800"`,
  '"\ufffd\\n"',
];

/** Text of a value as a client may write it, without blanks and with each string in the form that a printer gives it. */
function anyText(random: Random, depth: number): string {
  const most = depth > 0 ? 5 : 3;
  switch (random.int(0, most)) {
    case 0:
      return random.pick(["null", "true", "false"]);
    case 1:
    case 2:
      return random.pick(numbers);
    case 3:
      return JSON.stringify(JSON.parse(random.pick(strings)));
    case 4:
      return `[${Array.from({ length: random.int(0, 3) }, () => anyText(random, depth - 1)).join(",")}]`;
    default:
      return anyObject(random, depth);
  }
}

function anyObject(random: Random, depth: number): string {
  const chosen = keys.filter(() => random.int(0, 2) === 0).map((key) => [random.int(0, 1e6), key]);
  const members = chosen
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, key]) => `"${key}":${anyText(random, depth - 1)}`);
  return `{${members.join(",")}}`;
}

test("a tree prints as it was written, digits and order of keys included", () => {
  forSeeds(500, (random) => {
    const text = anyObject(random, 4);

    expect(treeJson(treeOf(text))).toBe(text);
  });
});

test("blanks and the ways to write a string are all that a tree forgets", () => {
  const written = String.raw` { "2" : [ 1.0 , "\u0061\/" ] , "1" : { } } `;

  expect(treeJson(treeOf(written))).toBe('{"2":[1.0,"a/"],"1":{}}');
});

test("keys that were set since, and those that were removed, are told of", () => {
  const tree = treeOf('{"b":1,"10":2,"2":3}') as Record<string, unknown>;
  delete tree["10"];
  tree["1"] = "new";

  expect(treeJson(tree as TreeObject)).toBe('{"b":1,"2":3,"1":"new"}');
});

/** Of texts: members of the partial document replace or follow those of the document. */
function mergedText(before: string, update: string): string {
  const members = new Map(membersOf(before));
  for (const [key, value] of membersOf(update)) {
    const old = members.get(key);
    const isInner = old?.startsWith("{") === true && value.startsWith("{");
    members.set(key, isInner ? mergedText(old, value) : value);
  }
  return `{${[...members].map(([key, value]) => `${key}:${value}`).join(",")}}`;
}

/** Keys and values of an object's text, as they stand in it. */
function membersOf(text: string): (readonly [string, string])[] {
  const members: (readonly [string, string])[] = [];
  let depth = 0;
  let isString = false;
  let start = 1;
  let colon = 0;
  for (let at = 1; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (isString) {
      if (char === "\\") at += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === ":" && depth === 0) colon = at;
    else if (at === text.length - 1 || (char === "," && depth === 0)) {
      if (colon > 0) members.push([text.slice(start, colon), text.slice(colon + 1, at)]);
      start = at + 1;
    } else if ("{[".includes(char)) depth += 1;
    else if ("}]".includes(char)) depth -= 1;
  }
  return members;
}

test("a partial document is merged member by member, and says whether it changed anything", () => {
  forSeeds(500, (random) => {
    const [before, update] = [anyObject(random, 3), anyObject(random, 3)];
    const tree = treeOf(before);

    const { merged, changed } = mergeTrees(tree, treeOf(update));

    const wanted = mergedText(before, update);
    expect(treeJson(merged)).toBe(wanted);
    expect(changed).toBe(wanted !== before);
    expect(treeJson(tree)).toBe(before);
    expect(mergeTrees(merged, treeOf(update))).toMatchObject({ changed: false });
  });
});

test("a change within an object of an object is one, and the same value in other places is none", () => {
  const before = treeOf('{"a":{"b":{"c":1,"d":[2]}}}');

  expect(mergeTrees(before, treeOf('{"a":{"b":{"c":1.0}}}')).changed).toBe(true);
  expect(mergeTrees(before, treeOf('{"a":{"b":{"e":null}}}')).changed).toBe(true);
  expect(mergeTrees(before, treeOf('{"a":{"b":{"d":[2],"c":1}}}')).changed).toBe(false);
});

test.each([
  ["1.0", "1.00", false],
  ["15e-1", "1.50", false],
  ["1E2", "100.0", false],
  ["0", "-0", false],
  ["0.0", "-0.0", true],
  ["1", "1.0", true],
  ["9007199254740992.0", "9007199254740993.0", true],
  ["1.1", "1.1000000000000000000000001", true],
  ["1e999999999999", "10e999999999998", false],
  ['[{"a":1.0,"b":[null]}]', '[{"b":[null],"a":1.00}]', false],
  ['[{"a":1}]', '[{"a":1,"b":null}]', true],
  ["[]", "{}", true],
  ["[1]", '{"0":1}', true],
  ["null", '"null"', true],
])("%s updated with %s: a change is %s", (before, update, changed) => {
  const tree = (value: string) => treeOf(`{"x":${value}}`);

  expect(mergeTrees(tree(before), tree(update)).changed).toBe(changed);
  expect(mergeTrees(tree(update), tree(before)).changed).toBe(changed);
});

const refused = (text: string): Problem | undefined => {
  try {
    readTree(utf8Encode(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problem;
  }
};

test.each([
  [`${'{"a":'.repeat(1001)}1${"}".repeat(1001)}`, "stream_constraints_exception"],
  [`{"a":${"1".repeat(1001)}}`, "stream_constraints_exception"],
  ['{"a":1,"a":2}', "json_parse_exception"],
  ['{"__proto__":1,"__proto__":2}', "json_parse_exception"],
  ['{"a":', "unexpected_end_of_input_exception"],
])("a text that is no document of the product is refused in its words (%#)", (text, type) => {
  expect(refused(text)).toMatchObject({ type, status: 400 });
});

test("a text as deep as they may be is read, merged and printed", () => {
  const deep = `${'{"a":'.repeat(1000)}1.0${"}".repeat(1000)}`;

  expect(treeJson(mergeTrees(treeOf(deep), treeOf(deep)).merged)).toBe(deep);
});

test("bytes that are no UTF-8 are refused, and stand for themselves in what an index holds", () => {
  const broken = Uint8Array.of(...utf8Encode('{"a":"'), 0xff, ...utf8Encode('"}'));

  expect(() => readTree(broken)).toThrow("Invalid UTF-8 start byte 0xff");
  expect(treeJson(readStoredTree(broken))).toBe('{"a":"\ufffd"}');
});

const settings = {};
const mapping = createMapping(
  coreLanguage,
  {
    properties: {
      a: { type: "keyword" },
      b: { type: "double", ignore_malformed: true },
      "10": { type: "object", enabled: false },
      é: { type: "text", fields: { raw: { type: "keyword" } } },
      "007": { type: "long" },
    },
  },
  settings,
);

function outcome(source: Uint8Array | DocumentSource): unknown {
  try {
    const { fields, children, mappingUpdate } = mapping.parseDocument("1", source, undefined);
    const values = fields.map(({ field, value }) => [field.name, field.type, value]);
    return [values, children, mappingUpdate];
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return error.problem;
  }
}

test("a tree is parsed as the bytes that it prints, problems and their places included", () => {
  let parsed = 0;
  forSeeds(500, (random) => {
    const text = anyObject(random, 3);
    const source = sourceOfTree(treeOf(text));

    expect(utf8Decode(source.bytes)).toBe(text);
    expect(outcome(source)).toEqual(outcome(source.bytes));
    if (Array.isArray(outcome(source))) parsed += 1;
  });
  expect(parsed).toBeGreaterThan(50);
});

test("a document that brings fields keeps its tree, and is not read again", () => {
  const source = sourceOfBytes(utf8Encode('{"new":1.0,"other":"x"}'));
  const plain = sourceOfBytes(utf8Encode('{"a":"x","b":1}'));

  const { mappingUpdate } = mapping.parseDocument("1", source, undefined);
  mapping.parseDocument("1", plain, undefined);
  // Bytes that a second reading would refuse.
  source.bytes.fill(0);

  expect(mappingUpdate).toMatchObject({ properties: { new: { type: "float" } } });
  expect(mapping.parseDocument("1", source, undefined).mappingUpdate).toEqual(mappingUpdate);
  expect(plain.tree).toBeUndefined();
});
