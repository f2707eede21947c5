/** Ids of points in time: opaque to clients, who send them back, perhaps changed. */
import { OperationError, utf8Encode, type IndexUuid, type NodeId } from "@orrery/stdx";
import { expect, test } from "vitest";
import { bytesOfId, idOf } from "../src/search/id-bytes.ts";
import { decodePitId, encodePitId, type PitId } from "../src/search/pit-id.ts";

const pit: PitId = {
  shards: [
    {
      index: "books",
      indexUuid: "u" as IndexUuid,
      shard: 1,
      nodeId: "n" as NodeId,
      contextId: "session:7",
    },
  ],
  filters: new Map([["u", { aliases: ["some"], filter: { term: { kind: "a" } } }]]),
};

/** The id with other bytes of the same length in its filter. */
function withFilter(text: string): string {
  const bytes = bytesOfId(encodePitId(pit));
  const own = utf8Encode('{"term":{"kind":"a"}}');
  bytes.set(utf8Encode(text.padEnd(own.length)), bytes.length - own.length);
  return idOf(bytes);
}

test("an id is decoded as it was encoded", () => {
  expect(decodePitId(encodePitId(pit))).toEqual(pit);
  expect(decodePitId(withFilter('{"term":{"kind":"b"}}')).filters.get("u")?.filter).toEqual({
    term: { kind: "b" },
  });
});

test.each(['{"term":', "nonsense", ""])("an id with the filter [%s] is refused", (text) => {
  expect(() => decodePitId(withFilter(text))).toThrow(OperationError);
});
