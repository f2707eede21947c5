/** The rounds in which a document's new fields come into the mapping. */
import { coreLanguage, createMapping, type Mapping, type ParsedDocument } from "@orrery/query";
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { introduceFields } from "../src/write/introduce-fields.ts";

const empty = createMapping(coreLanguage, {}, {});

function asking(update: ParsedDocument["mappingUpdate"]): ParsedDocument {
  return {
    ...empty.parseDocument("1", new TextEncoder().encode("{}"), undefined),
    mappingUpdate: update,
  };
}

test("a document is parsed again for as long as it brings something new", () => {
  const wanted = [{ a: 1 }, { b: 1 }, undefined];
  const merged: unknown[] = [];

  const { mapping } = introduceFields("1", empty, {
    parse: () => asking(wanted.shift()),
    merge: (_, update) => {
      merged.push(update);
      return createMapping(coreLanguage, {}, {});
    },
  });

  expect(merged).toEqual([{ a: 1 }, { b: 1 }]);
  expect(mapping).not.toBe(empty);
});

test("a document fails when what it brings is in the mapping and it brings it again", () => {
  let rounds = 0;
  const parse = (): ParsedDocument => {
    rounds += 1;
    if (rounds > 10) throw new Error("goes on for ever");
    return asking({ a: 1 });
  };
  const merge = (mapping: Mapping): Mapping => mapping;

  const run = (): unknown => introduceFields("1", empty, { parse, merge });

  expect(run).toThrow(OperationError);
  expect(run).toThrow("changes nothing");
});
