/** Mappings: what documents become, what merges, what is refused and how. */
import { OperationError, utf8Encode, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  coreLanguage,
  checkPartitioned,
  createMapping,
  describeFields,
  extendMapping,
  mergeMapping,
  type IndexSettings,
} from "../src/index.ts";

function merged(
  mapping: JsonObject,
  update: JsonObject = {},
  settings: IndexSettings = {},
): JsonObject {
  return mergeMapping(
    mergeMapping({}, mapping, { language: coreLanguage, settings, reason: "create" }),
    update,
    { language: coreLanguage, settings },
  );
}

function reasonOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof OperationError) return `${error.problem.type}: ${error.problem.reason}`;
    throw error;
  }
  return "no error";
}

function parse(mapping: JsonObject, source: string, settings: IndexSettings = {}) {
  return createMapping(coreLanguage, merged(mapping), settings).parseDocument(
    "1",
    utf8Encode(source),
    undefined,
  );
}

describe("a mapping", () => {
  test("is printed with sorted fields and without defaults", () => {
    const mapping = merged({
      dynamic: false,
      properties: {
        b: { type: "keyword", doc_values: true, ignore_above: 20 },
        "a.c": { type: "long", index: "false" },
        z: { properties: {} },
      },
    });

    expect(JSON.stringify(mapping)).toBe(
      '{"dynamic":"false","properties":{"a":{"properties":{"c":{"type":"long","index":false}}},"b":{"type":"keyword","ignore_above":20},"z":{"type":"object"}}}',
    );
  });

  test("keeps the type of a field", () => {
    const reason = reasonOf(() =>
      merged({ properties: { n: { type: "integer" } } }, { properties: { n: { type: "long" } } }),
    );
    expect(reason).toBe(
      "illegal_argument_exception: mapper [n] cannot be changed from type [integer] to [long]",
    );
  });

  test("keeps what it says of routing", () => {
    const required = { _routing: { required: true } };

    expect(reasonOf(() => merged(required, { _routing: { required: false } }))).toBe(
      "illegal_argument_exception: Mapper for [_routing] conflicts with existing mapper:\n\tCannot update parameter [required] from [true] to [false]",
    );
    expect(reasonOf(() => merged({ properties: { a: { type: "long" } } }, required))).toContain(
      "Cannot update parameter [required] from [false] to [true]",
    );
    expect(merged({}, required)).toEqual(required);
  });

  test("of an index with partitions requires routing, as soon as there is one", () => {
    const settings = { "index.routing_partition_size": "2" };
    const mapping = { properties: { a: { type: "long" } } };

    expect(reasonOf(() => checkPartitioned("x", { json: mapping }, settings))).toBe(
      "illegal_argument_exception: mapping type [_doc] must have routing required for partitioned index [x]",
    );
    expect(() => checkPartitioned("x", { json: {} }, settings)).not.toThrow();
    expect(() =>
      checkPartitioned("x", { json: { _routing: { required: true } } }, settings),
    ).not.toThrow();
    expect(() => checkPartitioned("x", { json: mapping }, {})).not.toThrow();
  });

  test("names every parameter that may not change", () => {
    const reason = reasonOf(() =>
      merged(
        { properties: { k: { type: "keyword" } } },
        { properties: { k: { type: "keyword", doc_values: false, norms: true } } },
      ),
    );
    expect(reason).toBe(
      "illegal_argument_exception: Mapper for [k] conflicts with existing mapper:\n\tCannot update parameter [doc_values] from [true] to [false]\n\tCannot update parameter [norms] from [false] to [true]",
    );
  });

  test.each([
    [
      { properties: { a: { type: "foo" } } },
      "Failed to parse mapping [_doc]: No handler for type [foo] declared on field [a]",
    ],
    [{ properties: { a: {} } }, "Failed to parse mapping [_doc]: No type specified for field [a]"],
    [
      { foo: {} },
      "Failed to parse mapping [_doc]: Root mapping definition has unsupported parameters:  [foo : {}]",
    ],
    [
      { properties: { a: { type: "text", analyzer: "nosuch" } } },
      "Failed to parse mapping [_doc]: analyzer [nosuch] has not been configured in mappings",
    ],
  ])("%j is refused", (mapping, reason) => {
    expect(reasonOf(() => merged(mapping))).toBe(`mapper_parsing_exception: ${reason}`);
  });

  test("may not grow beyond its limits", () => {
    const settings = { "index.mapping.total_fields.limit": "2" };
    const properties = { a: { type: "long" }, b: { type: "long" }, c: { type: "long" } };
    expect(reasonOf(() => merged({ properties }, {}, settings))).toBe(
      "illegal_argument_exception: Limit of total fields [2] has been exceeded",
    );
  });

  test("describes a field with all its defaults", () => {
    const mapping = createMapping(
      coreLanguage,
      merged({ properties: { n: { type: "long" } } }),
      {},
    );
    expect(describeFields(mapping, ["n"], true)["n"]).toEqual({
      full_name: "n",
      mapping: {
        n: {
          type: "long",
          index: true,
          doc_values: true,
          store: false,
          skip_list: false,
          ignore_malformed: false,
          coerce: true,
          null_value: null,
          meta: {},
        },
      },
    });
  });
});

describe("dynamic mapping", () => {
  test.each([
    ['{"a":1}', { a: { type: "long" } }],
    ['{"a":1.0}', { a: { type: "float" } }],
    [
      '{"a":"x"}',
      { a: { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } } },
    ],
    ['{"a":"2020-01-01"}', { a: { type: "date" } }],
    ['{"a":true}', { a: { type: "boolean" } }],
    ['{"a":{"b":[1,2]}}', { a: { properties: { b: { type: "long" } } } }],
    ['{"a.b":1}', { a: { properties: { b: { type: "long" } } } }],
    ['{"a":{}}', { a: { type: "object" } }],
    ['{"a":[{},{}]}', { a: { type: "object" } }],
    ['{"a":[{},{"b":2}]}', { a: { properties: { b: { type: "long" } } } }],
    ['{"a":[{"b":null},{"b":1.0}]}', { a: { properties: { b: { type: "float" } } } }],
    [
      '{"a":[{},{"b":{"c":1}},{}]}',
      { a: { properties: { b: { properties: { c: { type: "long" } } } } } },
    ],
  ])("%s adds %j", (source, properties) => {
    expect(parse({}, source).mappingUpdate).toEqual({ properties });
  });

  test.each(['{"a":[1,2,{"b":null}]}', '{"a":[{},1]}', '{"a":[{"b":1},2]}'])(
    "does not mix objects and values: %s",
    (source) => {
      expect(reasonOf(() => parse({}, source))).toBe(
        "illegal_argument_exception: can't merge a non object mapping [a] with an object mapping",
      );
    },
  );

  test("adds nothing for null and empty arrays", () => {
    expect(parse({}, '{"a":null,"b":[],"c":[null]}').mappingUpdate).toBeUndefined();
  });

  test.each([
    ['{"a":{"b":null}}', {}, { a: { type: "object" } }],
    ['{"a":{"b":[null,[]]}}', {}, { a: { type: "object" } }],
    [
      '{"a":{"b":{"c":null}},"d":[{"e":null}]}',
      {},
      { a: { properties: { b: { type: "object" } } }, d: { type: "object" } },
    ],
    ['{"a":{"b":null}}', { a: { type: "object" } }, undefined],
    ['{"a":{"b":null}}', { a: { type: "nested" } }, undefined],
    ['{"a":[{"b":[]},{"b":null}]}', { a: { type: "nested" } }, undefined],
    ['{"a.b.c":null}', { a: { type: "object" } }, undefined],
    ['{"a.b":[]}', {}, { a: { type: "object" } }],
    ['{"a.b.c":[[],null]}', {}, { a: { properties: { b: { type: "object" } } } }],
    ['{"x":[{"a.b":[]}]}', {}, { x: { properties: { a: { type: "object" } } } }],
    ['{"a.b":[]}', { a: { type: "object" } }, undefined],
  ])(
    "makes of %s in %j the fields %j, and nothing more of the same document again",
    (source, mapped, expected) => {
      const mapping = createMapping(coreLanguage, merged({ properties: mapped }), {});
      const { mappingUpdate } = mapping.parseDocument("1", utf8Encode(source), undefined);

      expect(mappingUpdate?.["properties"]).toEqual(expected);
      if (mappingUpdate === undefined) return;
      const grown = extendMapping(mapping, mappingUpdate);
      expect(grown.parseDocument("1", utf8Encode(source), undefined).mappingUpdate).toBeUndefined();
    },
  );

  const nested = { properties: { a: { type: "nested", properties: { b: { type: "long" } } } } };
  const inside = { properties: { x: nested } };
  const ofTemplate = { dynamic_templates: [{ t: { match: "a", mapping: { type: "nested" } } }] };
  test.each([
    ['{"a.b":1}', nested, "Cannot add a value for field [a.b] since one of the intermediate"],
    ['{"a.b":null}', nested, "mapped as a nested object: [a]"],
    ['{"a.c":[]}', { dynamic: false, ...nested }, "mapped as a nested object: [a]"],
    ['{"x":{"a.b":1}}', inside, "for field [a.b] since one of the intermediate"],
    ['{"x.a.b":1}', inside, "mapped as a nested object: [x.a]"],
    ['{"a.b":1}', ofTemplate, "forbidden to create dynamic nested objects ([a])"],
    ['{"a.b":null}', { dynamic: "strict" }, "dynamic introduction of [a.b] within [_doc]"],
  ])("of %s in %j is refused", (source, mapped, reason) => {
    expect(reasonOf(() => parse(mapped, source))).toContain(reason);
  });

  test("takes a null whose name has dots, whatever the inner object says", () => {
    const strict = { properties: { a: { type: "object", dynamic: "strict" } } };

    expect(parse(strict, '{"a.b":null}').mappingUpdate).toBeUndefined();
    expect(parse(nested, '{"a":{"b":1}}').children).toHaveLength(1);
  });

  test("is refused by a strict mapping", () => {
    expect(reasonOf(() => parse({ dynamic: "strict" }, '{"a":1}'))).toBe(
      "strict_dynamic_mapping_exception: mapping set to strict, dynamic introduction of [a] within [_doc] is not allowed",
    );
  });

  test("follows templates", () => {
    const templates = [
      { s: { match: "s_*", match_mapping_type: "string", mapping: { type: "keyword" } } },
    ];
    expect(parse({ dynamic_templates: templates }, '{"s_x":"1","t":"1"}').mappingUpdate).toEqual({
      properties: {
        s_x: { type: "keyword" },
        t: { type: "text", fields: { keyword: { type: "keyword", ignore_above: 256 } } },
      },
    });
  });
});

describe("a document", () => {
  const mapping: JsonObject = {
    properties: {
      l: { type: "long" },
      i: { type: "integer" },
      k: { type: "keyword" },
      d: { type: "date" },
      t: { type: "text" },
      o: { properties: { x: { type: "long" } } },
      n: { type: "nested", properties: { x: { type: "long" } } },
    },
  };

  test("keeps integers beyond 2^53 exactly", () => {
    const { fields } = parse(mapping, '{"l":9007199254740993}');
    expect(fields.map(({ value }) => value)).toEqual([9_007_199_254_740_993n]);
  });

  test("keeps a number's own digits in keyword fields", () => {
    expect(parse(mapping, '{"k":1.50}').fields.map(({ value }) => value)).toEqual(["1.50"]);
  });

  test("becomes several where it is nested", () => {
    const { children } = parse(mapping, '{"n":[{"x":1},{"x":2}]}');
    expect(children.map((fields) => fields.map(({ value }) => value))).toEqual([
      ["n", 1],
      ["n", 2],
    ]);
  });

  test.each([
    [
      `{"i":"${"x".repeat(5000)}"}`,
      `failed to parse field [i] of type [integer] in document with id '1'. Preview of field's value: '${"x".repeat(1000)}'`,
    ],
    [
      '{"i":"abc"}',
      "failed to parse field [i] of type [integer] in document with id '1'. Preview of field's value: 'abc'",
    ],
    [
      '{"i":{"a":1}}',
      "failed to parse field [i] of type [integer] in document with id '1'. Preview of field's value: '{a=1}'",
    ],
    [
      '{"d":"soon"}',
      "failed to parse field [d] of type [date] in document with id '1'. Preview of field's value: 'soon'",
    ],
    [
      '{"o":5}',
      "object mapping for [o] tried to parse field [o] as object, but found a concrete value",
    ],
    [
      '{"l.x":5}',
      "Could not dynamically add mapping for field [l.x]. Existing mapping for [l] must be of type object but found [long].",
    ],
    ['{"a":1,"a":2}', "failed to parse"],
    ["[1]", "failed to parse"],
    ['{"a":', "failed to parse"],
  ])("%s is refused", (source, reason) => {
    expect(reasonOf(() => parse(mapping, source))).toBe(`mapper_parsing_exception: ${reason}`);
  });

  test("says where in the bytes a value is wrong", () => {
    try {
      parse(mapping, '{"k":"é","i":3000000000}');
      expect.unreachable();
    } catch (error) {
      const cause = (error as OperationError).problem.causedBy;
      expect(cause?.type).toBe("input_coercion_exception");
      expect(cause?.reason).toContain(
        "Numeric value (3000000000) out of range of `int` (-2147483648 - 2147483647)",
      );
    }
  });
});

describe("one document may not take a shard's time", () => {
  const parseOne =
    (properties: JsonObject, more: JsonObject, source: JsonObject) => (): unknown => {
      const settings = { "index.mapping.total_fields.limit": "10000" };
      const json = mergeMapping(
        {},
        { properties, ...more },
        { language: coreLanguage, settings, reason: "create" },
      );
      return createMapping(coreLanguage, json, settings).parseDocument(
        "1",
        utf8Encode(JSON.stringify(source)),
        undefined,
      );
    };
  const names = Array.from({ length: 1000 }, (_, i) => `c${i}`);
  const texts = Object.fromEntries(names.map((name) => [name, { type: "text" }]));
  const copied = { a: { type: "keyword", copy_to: names }, ...texts };
  const refused = expect.objectContaining({
    problem: expect.objectContaining({
      reason: "failed to parse",
      causedBy: expect.objectContaining({
        reason: expect.stringMatching(
          /makes more than \[\d+\] characters of one document/,
        ) as string,
      }) as object,
    }) as object,
  }) as Error;

  test("by copies of its values", () => {
    const values = (count: number): JsonObject => ({ a: Array.from({ length: count }, () => "v") });

    expect(parseOne(copied, {}, values(500))).not.toThrow();
    expect(parseOne(copied, {}, values(5000))).toThrow(refused);
    const numbers = Object.fromEntries(
      names.map((name) => [name, { type: "long", ignore_malformed: true }]),
    );
    const targets = { a: { type: "keyword", copy_to: names }, ...numbers };
    const one = { a: Array.from({ length: 5000 }, () => "1") };
    expect(parseOne(targets, {}, one)).toThrow(refused);
  });

  test("by names that are held against templates", () => {
    const templates = Array.from({ length: 500 }, (_, i) => ({
      [`t${i}`]: { match_pattern: "regex", match: `(a|b)*x${i}`, mapping: { type: "keyword" } },
    }));
    const fields = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${"a".repeat(60)}${i}`, 1]));

    expect(parseOne({}, { dynamic_templates: templates }, fields(50))).not.toThrow();
    expect(parseOne({}, { dynamic_templates: templates }, fields(1000))).toThrow(refused);
  });
});

function causeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return (error.problem.causedBy ?? error.problem).reason ?? "";
  }
  return "no error";
}

test("dotted names of very many parts are refused before objects are made of them", () => {
  const name = Array.from({ length: 100_000 }, () => "c").join(".");
  const types = { properties: { [name]: { type: "keyword" } } };
  const raised = { "index.mapping.depth.limit": "1000000" };

  expect(causeOf(() => merged(types, {}, raised))).toContain("has [100000] parts");
  expect(causeOf(() => parse({}, `{"${name}":1}`, raised))).toContain("has [100000] parts");
  expect(causeOf(() => parse({}, `{"a":{"${name}":1}}`, raised))).toContain("has [100000] parts");
});

describe("a mapping that documents grow", () => {
  const start: JsonObject = {
    dynamic_templates: [{ words: { match: "w*", mapping: { type: "text", copy_to: "all" } } }],
    properties: {
      all: { type: "text" },
      other: { type: "alias", path: "all" },
      o: {
        dynamic: "true",
        properties: { n: { type: "nested", properties: { k: { type: "keyword" } } } },
      },
    },
  };
  const sources = [
    `{"a":1,"b":"text","w1":"x"}`,
    `{"o":{"p":{"q":true},"n":[{"k":"a","new":"2020-01-01"}]}}`,
    `{"o":{"p":{"q2":1.5}},"a":2,"deep":{"er":{"est":"x"}}}`,
    `{"deep":{"er":{"too":[1,2]}},"w2":"y"}`,
  ];

  test("is the one that its whole JSON makes", () => {
    let json = merged(start);
    let grown = createMapping(coreLanguage, json, {});
    for (const source of sources) {
      const document = utf8Encode(source);
      const update = grown.parseDocument("1", document, undefined).mappingUpdate ?? {};
      json = mergeMapping(json, update, { language: coreLanguage, settings: {} });
      grown = extendMapping(grown, update);
      const whole = createMapping(coreLanguage, json, {});

      expect(grown.json).toEqual(json);
      expect(JSON.stringify(grown.json)).toBe(JSON.stringify(json));
      expect([...grown.fields.keys()]).toEqual([...whole.fields.keys()]);
      expect(new Map(grown.objects)).toEqual(new Map(whole.objects));
      expect(grown.hasNested).toBe(true);
      for (const [name, field] of whole.fields) {
        expect(JSON.stringify(grown.fields.get(name))).toBe(JSON.stringify(field));
      }
      const parsed = [grown, whole].map((mapping) => {
        return JSON.stringify(mapping.parseDocument("1", document, undefined));
      });
      expect(parsed[0]).toBe(parsed[1]);
    }
  });

  test("keeps compiled fields that the document left alone", () => {
    const before = createMapping(coreLanguage, merged(start), {});
    const after = extendMapping(before, {
      properties: { o: { properties: { z: { type: "long" } } } },
    });

    for (const name of ["all", "o.n.k"]) expect(after.field(name)).toBe(before.field(name));
    expect(after.field("o.z")?.type).toBe("long");
    expect(before.field("o.z")).toBeUndefined();
  });

  test("keeps the limits of the index", () => {
    const small = createMapping(coreLanguage, merged(start), {
      "index.mapping.total_fields.limit": "5",
    });

    expect(reasonOf(() => extendMapping(small, { properties: { z: { type: "long" } } }))).toContain(
      "Limit of total fields [5] has been exceeded",
    );
  });
});
