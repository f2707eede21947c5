/** Mappings of templates put together for a new index, and the time stamp that documents of data streams must have. */
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { coreLanguage, composeMappings, createMapping } from "../src/index.ts";

describe("mappings that are put together", () => {
  test("replace fields, add to objects and fill up metadata", () => {
    const mapping = composeMappings(
      coreLanguage,
      [
        {
          _meta: { a: 1, b: { x: 1 } },
          _routing: { required: true },
          properties: {
            k: { type: "keyword", ignore_above: 3 },
            o: { type: "object", enabled: false },
          },
        },
        {
          _meta: { b: { y: 1 } },
          properties: { k: { type: "text" }, o: { properties: { z: { type: "long" } } } },
        },
      ],
      {},
    );

    expect(mapping).toEqual({
      _meta: { b: { y: 1, x: 1 }, a: 1 },
      _routing: { required: true },
      properties: {
        k: { type: "text" },
        o: { enabled: false, properties: { z: { type: "long" } } },
      },
    });
  });

  test("do not make a field of an object", () => {
    const compose = () =>
      composeMappings(
        coreLanguage,
        [
          { properties: { o: { properties: { z: { type: "long" } } } } },
          { properties: { o: { type: "long" } } },
        ],
        {},
      );

    expect(compose).toThrow(OperationError);
    expect(compose).toThrow("can't merge a non object mapping [o] with an object mapping");
  });
});

describe("a document of a data stream", () => {
  const mapping = createMapping(
    coreLanguage,
    composeMappings(
      coreLanguage,
      [
        { properties: { "@timestamp": { type: "date" } } },
        { _data_stream_timestamp: { enabled: true, timestamp_field: { name: "@timestamp" } } },
      ],
      {},
    ),
    {},
  );
  const parse = (source: string) => mapping.parseDocument("1", utf8Encode(source), undefined);

  test("has exactly one time stamp", () => {
    expect(parse('{"@timestamp":1}').fields).toHaveLength(1);
    const refused = "failed to parse";
    expect(() => parse("{}")).toThrow(refused);
    expect(() => parse('{"@timestamp":[1,2]}')).toThrow(refused);
  });

  test("is asked for the field that the mapping names", () => {
    expect(mapping.json).toEqual({
      _data_stream_timestamp: { enabled: true },
      properties: { "@timestamp": { type: "date" } },
    });
    const other = createMapping(
      coreLanguage,
      {
        _data_stream_timestamp: { enabled: true, timestamp_field: { name: "ts" } },
        properties: { ts: { type: "date" } },
      },
      {},
    );
    expect(
      () => other.parseDocument("1", utf8Encode('{"@timestamp":1}'), undefined).fields,
    ).not.toThrow();
    expect(() => other.parseDocument("1", utf8Encode("{}"), undefined)).toThrow("failed to parse");
  });
});
