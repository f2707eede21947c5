/** Membership changes as bytes, as text, and what each of them asks for. */
import { utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { asV2, jointEntry, leavesJoint } from "../src/conf-change.ts";
import {
  confChangesFromText,
  confChangeV1,
  confChangeV2,
  decodeConfChange,
  describeEntry,
  encodeConfChange,
  type ConfChange,
  type Entry,
} from "../src/index.ts";

const entryOf = (change: ConfChange): Entry => ({
  ...encodeConfChange(change),
  term: 1,
  index: 2,
});

test("changes survive being encoded", () => {
  const changes: ConfChange[] = [
    confChangeV1("ConfChangeAddLearnerNode", 300, utf8Encode("why")),
    confChangeV1("ConfChangeAddNode", 1),
    confChangeV2([]),
    confChangeV2(
      [
        { type: "ConfChangeAddNode", nodeId: 2 },
        { type: "ConfChangeRemoveNode", nodeId: 70_000 },
      ],
      "ConfChangeTransitionJointExplicit",
      utf8Encode("context"),
    ),
  ];

  expect(changes.map((change) => decodeConfChange(entryOf(change)))).toEqual(changes);
});

test("the bytes are those of etcd's protobuf messages", () => {
  const bytes = [
    encodeConfChange(confChangeV1("ConfChangeRemoveNode", 5)).data,
    encodeConfChange(confChangeV2([{ type: "ConfChangeAddNode", nodeId: 5 }])).data,
  ];

  expect(bytes.map((each) => [...each])).toEqual([
    [8, 0, 16, 1, 24, 5],
    [8, 0, 18, 4, 8, 0, 16, 5],
  ]);
});

test("an empty entry of the second kind leaves a joint configuration", () => {
  const entry: Entry = { kind: "EntryConfChangeV2", term: 1, index: 1, data: new Uint8Array() };
  const change = decodeConfChange(entry);

  expect(change === undefined ? undefined : leavesJoint(asV2(change))).toBe(true);
  expect(describeEntry(entry)).toBe("1/1 EntryConfChangeV2");
});

test("joint consensus is used when asked for or when there is more than one change", () => {
  const one = [{ type: "ConfChangeAddNode", nodeId: 2 }] as const;
  const two = [...one, ...one];

  expect([
    jointEntry(confChangeV2(one)),
    jointEntry(confChangeV2(two)),
    jointEntry(confChangeV2(one, "ConfChangeTransitionJointImplicit")),
    jointEntry(confChangeV2(one, "ConfChangeTransitionJointExplicit")),
  ]).toEqual(["direct", "joint-auto-leave", "joint-auto-leave", "joint"]);
});

test("the short text names each change, and bad text is told apart", () => {
  expect(confChangesFromText(" v1 l2 r3 u4 ")).toEqual([
    { type: "ConfChangeAddNode", nodeId: 1 },
    { type: "ConfChangeAddLearnerNode", nodeId: 2 },
    { type: "ConfChangeRemoveNode", nodeId: 3 },
    { type: "ConfChangeUpdateNode", nodeId: 4 },
  ]);
  expect(confChangesFromText("")).toEqual([]);
  expect(confChangesFromText("v")).toBe("unknown token v");
  expect(confChangesFromText("q1")).toBe("unknown input: q1");
});
