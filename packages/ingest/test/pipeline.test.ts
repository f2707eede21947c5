/** Pipelines: what definitions are refused for, and what processors make of a document. */
import { createTurns, ownWork, type Clock } from "@orrery/ports";
import { OperationError, utf8Encode, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  composeProcessors,
  coreProcessors,
  createPipeline,
  IngestDocument,
  PipelineTable,
  printTree,
  readMap,
  runPipeline,
  type ProcessorType,
  type Verdict,
} from "../src/index.ts";

const clock: Clock = {
  nowMs: () => 0,
  monotonicMs: () => 0,
  setTimer: () => () => undefined,
};

/** Waits for a promise that ends later, and then sets a field. */
const slow: ProcessorType = {
  type: "slow",
  create: () => ({
    async process(document, { context }): Promise<Verdict> {
      await Promise.resolve();
      document.set("by", context.caller.principal?.name ?? "nobody");
      return "kept";
    },
  }),
};

/** A bug of its author. */
const broken: ProcessorType = {
  type: "broken",
  create: () => ({
    process() {
      throw new TypeError("x is not a function");
    },
  }),
};

const types = composeProcessors([...coreProcessors, slow, broken]);
const tree = (value: unknown) => readMap(utf8Encode(JSON.stringify(value)));

function refusalOf(definition: unknown): Problem {
  try {
    createPipeline("p", tree(definition), types);
  } catch (error) {
    if (error instanceof OperationError) return error.problem;
    throw error;
  }
  throw new Error("the definition was taken");
}

interface Ran {
  readonly source?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly problem?: Problem;
}

const unforeseen: (readonly [type: string, thrown: unknown])[] = [];

/** Through the pipeline `main`, with the others beside it. */
async function run(
  processors: readonly unknown[],
  source: string,
  rest: { readonly onFailure?: readonly unknown[]; readonly others?: Record<string, unknown> } = {},
): Promise<Ran> {
  const handlers = rest.onFailure === undefined ? {} : { on_failure: rest.onFailure };
  const definitions = new Map(
    Object.entries({ main: { processors, ...handlers }, ...rest.others }).map(([id, one]) => [
      id,
      JSON.stringify(one),
    ]),
  );
  const table = new PipelineTable(types);
  const document = new IngestDocument(
    readMap(utf8Encode(source)),
    { _index: "books", _id: "1", _version: -3, _version_type: "internal" },
    "2026-01-02T03:04:05.678Z",
  );
  const pipeline = table.get(definitions, "main");
  if (pipeline === undefined) throw new Error("no pipeline");
  const input = {
    context: ownWork,
    turns: createTurns(clock),
    pipeline: (id: string) => table.get(definitions, id),
    onUnforeseen: (type: string, thrown: unknown) => void unforeseen.push([type, thrown]),
  };
  try {
    if ((await runPipeline(pipeline, document, input)) === "dropped") return {};
  } catch (error) {
    if (error instanceof OperationError) return { problem: error.problem };
    throw error;
  }
  const { source: left, metadata } = document.finish();
  const entries = [...metadata].map(([name, value]) => [name, printTree(value)] as const);
  return { source: printTree(left), metadata: Object.fromEntries(entries) };
}

const sourceAfter = async (...given: Parameters<typeof run>) => (await run(...given)).source;
const reasonAfter = async (...given: Parameters<typeof run>) =>
  (await run(...given)).problem?.reason;

describe("a definition", () => {
  test.each([
    [{}, "[processors] required property is missing", { property_name: "processors" }],
    [
      { processors: [{ set: { value: 1 } }] },
      "[field] required property is missing",
      { processor_type: "set", property_name: "field" },
    ],
    [
      { processors: [{ set: { field: "a", value: 1, tag: "t", more: 2 } }] },
      "processor [set] doesn't support one or more provided configuration parameters [more]",
      { processor_type: "set", processor_tag: "t" },
    ],
    [
      { processors: [{ drop: { on_failure: [{ nosuch: {} }] } }] },
      "No processor type exists with name [nosuch]",
      { processor_type: "nosuch" },
    ],
    [
      { processors: [{ drop: { if: "true" } }] },
      "[if] conditions are not supported, as there are no scripts yet",
      { processor_type: "drop", property_name: "if" },
    ],
    [
      { processors: [], on_failure: [] },
      "pipeline [p] cannot have an empty on_failure option defined",
      undefined,
    ],
  ])("%j is refused", (definition, reason, metadata) => {
    expect(refusalOf(definition)).toEqual({
      type: "parse_exception",
      reason,
      status: 400,
      ...(metadata === undefined ? {} : { metadata }),
    });
  });

  test("with several problems tells the first, and the others as suppressed", () => {
    const { reason, suppressed } = refusalOf({ processors: [{ no1: {} }, { no2: {} }] });

    expect(reason).toBe("No processor type exists with name [no1]");
    expect(suppressed?.map((one) => one.reason)).toEqual([
      "No processor type exists with name [no2]",
    ]);
  });

  test("that a node cannot compile fails documents, with the cause", () => {
    const table = new PipelineTable(types);

    expect(() => table.get(new Map([["p", '{"processors":[{"gone":{}}]}']]), "p")).toThrow(
      "pipeline with id [p] could not be loaded, caused by [parse_exception: No processor type exists with name [gone]]",
    );
  });

  test("with a name that two rows have is a bug of the program", () => {
    expect(() => composeProcessors([...coreProcessors, { ...slow, type: "set" }])).toThrow(
      "two processor types have one name",
    );
  });
});

describe("a document", () => {
  test("keeps the digits of numbers, and `__proto__` as a name like any other", async () => {
    const source = '{"a":1.50,"b":1e3,"c":12345678901234567890123,"__proto__":{"d":-0.0}}';

    expect(await sourceAfter([{ set: { field: "e", value: "x" } }], source)).toBe(
      `${source.slice(0, -1)},"e":"x"}`,
    );
  });

  test("keeps halves of characters", async () => {
    const source = String.raw`{"half \udc00":["\ud800"],"b":1}`;

    expect(await sourceAfter([{ remove: { field: "b" } }], source)).toBe(
      String.raw`{"half \udc00":["\ud800"]}`,
    );
  });

  test("is changed by path, with parents made and positions in lists", async () => {
    const processors = [
      { set: { field: "a.b", value: { deep: ["{{n}}", 2] } } },
      { rename: { field: "l.0", target_field: "first" } },
      { remove: { field: ["gone", "l.0"] } },
      { set: { field: "_id", value: "{{n}}-{{_index}}" } },
    ];

    expect(await run(processors, '{"n":7,"l":[1.0,2,3],"gone":null}')).toEqual({
      source: '{"n":7,"l":[3],"a":{"b":{"deep":["7",2]}},"first":1.0}',
      metadata: {
        _index: '"books"',
        _id: '"7-books"',
        _version: "-3",
        _version_type: '"internal"',
      },
    });
  });

  test.each([
    ["remove", { field: "x.y" }, '{"x":1}', "field [x.y] doesn't exist"],
    ["remove", { field: "_index" }, "{}", "cannot remove metadata field [_index]"],
    ["rename", { field: "a", target_field: "b" }, '{"a":1,"b":2}', "field [b] already exists"],
    [
      "set",
      { field: "l.4", value: 1 },
      '{"l":[1]}',
      "[4] is out of bounds for array with length [1] as part of path [l.4]",
    ],
    [
      "set",
      { field: "s.t", value: 1 },
      '{"s":2.5}',
      "cannot set [t] with parent object of type [java.lang.Double] as part of path [s.t]",
    ],
    ["set", { field: "{{no}}", value: 1 }, "{}", "path cannot be null nor empty"],
  ])("is refused by %s %j", async (type, options, source, reason) => {
    expect(await reasonAfter([{ [type]: options }], source)).toBe(reason);
  });

  test("keeps the value that a failed rename took from it", async () => {
    const renamed = { rename: { field: "a", target_field: "b.c", ignore_failure: true } };

    expect(await sourceAfter([renamed], '{"b":2,"a":1}')).toBe('{"b":2,"a":1}');
  });

  test("renders templates: escaped, as they are, of objects, lists and the run", async () => {
    const value = "{{q}}|{{{q}}}|{{&q}}|{{o}}|{{l}}|{{d}}|{{no}}|{{_ingest.pipeline}}";
    const source = '{"q":"a\\"b","o":{"x":1.0},"l":[1,null],"d":1e3}';

    const ran = await sourceAfter(
      [{ set: { field: "t", value } }, { remove: { field: ["q", "o", "l", "d"] } }],
      source,
    );

    expect(ran).toBe(JSON.stringify({ t: 'a\\"b|a"b|a"b|{x=1.0}|{0=1, 1=null}|1000.0||main' }));
  });

  test("renders lists within what a template names as lists, and finds names with dots whole", async () => {
    const value = "{{&l}}|{{&o}}|{{a.b}}|{{l.size}}|{{l.00}}|{{l.length}}";
    const source = '{"l":[[1],{"x":[2,null]}],"o":{"l":[[]]},"a":{"b":1},"a.b":2}';

    const ran = await sourceAfter(
      [{ set: { field: "t", value } }, { remove: { field: ["l", "o", "a"] } }],
      source,
    );

    expect(JSON.parse(ran ?? "")).toEqual({
      "a.b": 2,
      t: "{0=[1], 1={x=[2, null]}}|{l=[[]]}|2|2|{0=1}|",
    });
  });

  test("takes an empty value that is no template for one that was meant", async () => {
    const empty = { value: "", ignore_empty_value: true };
    const rendered = { value: "{{no}}", ignore_empty_value: true };

    const ran = await sourceAfter(
      [{ set: { field: "a", ...empty } }, { set: { field: "b", ...rendered } }],
      '{"a":1,"b":2}',
    );

    expect(ran).toBe('{"a":"","b":2}');
  });

  test("is not made endless by templates, nor too deep by renames", async () => {
    const doubled = Array.from({ length: 40 }, () => ({
      set: { field: "a", value: "{{a}}{{a}}" },
    }));
    const deeper = Array.from({ length: 1100 }, () => [
      { rename: { field: "a", target_field: "b.c" } },
      { rename: { field: "b", target_field: "a" } },
    ]).flat();

    expect(await reasonAfter(doubled, '{"a":"xxxx"}')).toMatch(/templates made more than/);
    expect(await reasonAfter(deeper, '{"a":1}')).toMatch(/makes the document deeper than/);
  });
});

describe("a failure", () => {
  const told =
    "{{_ingest.on_failure_message}}|{{_ingest.on_failure_processor_type}}|{{_ingest.on_failure_processor_tag}}|{{_ingest.on_failure_pipeline}}";
  const note = { set: { field: "m", value: told } };
  const failing = { fail: { message: "no {{x}}", tag: "T" } };

  test("of a processor goes to its own handlers, and the pipeline goes on", async () => {
    const handled = { fail: { ...failing.fail, on_failure: [note] } };
    const after = { set: { field: "after", value: told } };

    expect(await sourceAfter([handled, after], '{"x":1}')).toBe(
      '{"x":1,"m":"no 1|fail|T|","after":"|||"}',
    );
  });

  test("that nobody handles ends the pipeline's processors, and its handlers run", async () => {
    const never = { set: { field: "never", value: 1 } };

    expect(await sourceAfter([failing, never], '{"x":1}', { onFailure: [note] })).toBe(
      '{"x":1,"m":"no 1|fail|T|"}',
    );
    expect(await reasonAfter([failing], "{}", { onFailure: [{ fail: { message: "2" } }] })).toBe(
      "2",
    );
  });

  test("of a pipeline within one is told with the innermost processor and its pipeline", async () => {
    const others = { inner: { processors: [failing] } };
    const calls = [{ pipeline: { name: "inner", tag: "outer" } }];

    expect(await sourceAfter(calls, '{"x":1}', { onFailure: [note], others })).toBe(
      '{"x":1,"m":"no 1|fail|T|inner"}',
    );
  });

  test("that is ignored runs no handler", async () => {
    const ignored = { fail: { message: "", ignore_failure: true, on_failure: [note] } };

    expect(await sourceAfter([ignored], "{}")).toBe("{}");
  });
});

describe("pipelines within a pipeline", () => {
  test("may run twice, one after the other, and may drop the document", async () => {
    const others = {
      once: { processors: [{ set: { field: "n", value: "{{n}}+" } }] },
      dropping: { processors: [{ drop: {} }] },
    };
    const call = (name: string) => ({ pipeline: { name } });

    expect(await sourceAfter([call("once"), call("once")], '{"n":"1"}', { others })).toBe(
      '{"n":"1++"}',
    );
    expect(
      await run([call("dropping"), { fail: { message: "not dropped" } }], "{}", { others }),
    ).toEqual({});
  });

  test("are refused in a circle, and where they do not exist", async () => {
    const others = { other: { processors: [{ pipeline: { name: "main" } }] } };

    expect(await reasonAfter([{ pipeline: { name: "other" } }], "{}", { others })).toBe(
      "Cycle detected for pipeline: main",
    );
    expect(await reasonAfter([{ pipeline: { name: "no" } }], "{}")).toBe(
      "Pipeline processor configured for non-existent pipeline [no]",
    );
  });

  test("may be thousands in each other, and end where they are exponentially many", async () => {
    const chain = (length: number, calls: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, i) => {
          const next = { pipeline: { name: `p${i + 1}` } };
          const last = { set: { field: "end", value: 1 } };
          const processors = i === length - 1 ? [last] : Array.from({ length: calls }, () => next);
          return [`p${i}`, { processors }];
        }),
      );
    const first = [{ pipeline: { name: "p0" } }];

    expect(await sourceAfter(first, "{}", { others: chain(5000, 1) })).toBe('{"end":1}');
    expect(await reasonAfter(first, "{}", { others: chain(40, 2) })).toBe(
      "more than [100000] processors would run on one document",
    );
  });
});

test("a processor may be awaited, and is given the request context", async () => {
  expect(await sourceAfter([{ slow: {} }, { set: { field: "b", value: "{{by}}" } }], "{}")).toBe(
    '{"by":"nobody","b":"nobody"}',
  );
});

test("a processor that throws what is no problem fails its document, or is handled", async () => {
  const problem = {
    type: "exception",
    reason: "unexpected failure, the log of the node tells more",
  };

  expect((await run([{ broken: {} }], "{}")).problem).toMatchObject(problem);
  const handlers = [{ set: { field: "why", value: "{{_ingest.on_failure_processor_type}}" } }];
  expect(await sourceAfter([{ broken: { on_failure: handlers } }], "{}")).toBe('{"why":"broken"}');
  const told = ["broken", new TypeError("x is not a function")];
  expect(unforeseen).toEqual([told, told]);
});

test("keys keep their order through a pipeline, those that are numbers among them", async () => {
  const source = '{"a":{"z":1,"2":{"9":0,"1":0},"1":3}}';

  expect(await sourceAfter([{ set: { field: "b", value: 1 } }], source)).toBe(
    '{"a":{"z":1,"2":{"9":0,"1":0},"1":3},"b":1}',
  );
});
