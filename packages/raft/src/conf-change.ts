/**
 * Membership changes as data: their path through joint consensus, their bytes in a log entry, their short text (`v1
 * l2 r3 u4`).
 *
 * The bytes are etcd's protobuf encoding of ConfChange and ConfChangeV2 (`raftpb/confchange.go`).
 */
import { createByteReader, createByteWriter, defined, emptyBytes } from "@orrery/stdx";
import type {
  ConfChange,
  ConfChangeSingle,
  ConfChangeTransition,
  ConfChangeType,
  ConfChangeV1,
  ConfChangeV2,
  Entry,
  EntryKind,
} from "./types.ts";

/** In the order of their wire numbers. */
const types: readonly ConfChangeType[] = [
  "ConfChangeAddNode",
  "ConfChangeRemoveNode",
  "ConfChangeUpdateNode",
  "ConfChangeAddLearnerNode",
];
const transitions: readonly ConfChangeTransition[] = [
  "ConfChangeTransitionAuto",
  "ConfChangeTransitionJointImplicit",
  "ConfChangeTransitionJointExplicit",
];
const letters: Readonly<Record<ConfChangeType, string>> = {
  ConfChangeAddNode: "v",
  ConfChangeAddLearnerNode: "l",
  ConfChangeRemoveNode: "r",
  ConfChangeUpdateNode: "u",
};

export function confChangeV1(
  type: ConfChangeType,
  nodeId: number,
  context: Uint8Array = emptyBytes,
): ConfChangeV1 {
  return { kind: "v1", type, nodeId, context };
}

export function confChangeV2(
  changes: readonly ConfChangeSingle[],
  transition: ConfChangeTransition = "ConfChangeTransitionAuto",
  context: Uint8Array = emptyBytes,
): ConfChangeV2 {
  return { kind: "v2", transition, changes, context };
}

/** A change of one node in the form for several nodes; a ConfChangeV2 as it is. */
export function asV2(change: ConfChange): ConfChangeV2 {
  if (change.kind === "v2") return change;
  const { type, nodeId, context } = change;
  return confChangeV2([{ type, nodeId }], "ConfChangeTransitionAuto", context);
}

/** Whether the change leaves a joint configuration, that is, changes no node. */
export function leavesJoint(change: ConfChangeV2): boolean {
  return change.transition === "ConfChangeTransitionAuto" && change.changes.length === 0;
}

/**
 * The path of a change: applied directly, through a joint configuration, or through one that the leader leaves by
 * itself.
 */
export type JointEntry = "direct" | "joint" | "joint-auto-leave";

/** Chooses the path: joint consensus whenever it is asked for or there is more than one change. */
export function jointEntry(change: ConfChangeV2): JointEntry {
  if (change.transition === "ConfChangeTransitionAuto" && change.changes.length <= 1) {
    return "direct";
  }
  return change.transition === "ConfChangeTransitionJointExplicit" ? "joint" : "joint-auto-leave";
}

/** Kind and data of the entry for a change; fields in the order in which etcd writes them. */
export function encodeConfChange(change: ConfChange): {
  readonly kind: EntryKind;
  readonly data: Uint8Array;
} {
  const writer = createByteWriter();
  if (change.kind === "v1") {
    varintField(writer, 1, 0);
    varintField(writer, 2, types.indexOf(change.type));
    varintField(writer, 3, change.nodeId);
    if (change.context.length > 0) blockField(writer, 4, change.context);
    return { kind: "EntryConfChange", data: writer.finish() };
  }
  varintField(writer, 1, transitions.indexOf(change.transition));
  for (const { type, nodeId } of change.changes) {
    const single = createByteWriter(16);
    varintField(single, 1, types.indexOf(type));
    varintField(single, 2, nodeId);
    blockField(writer, 2, single.finish());
  }
  if (change.context.length > 0) blockField(writer, 3, change.context);
  return { kind: "EntryConfChangeV2", data: writer.finish() };
}

/**
 * The change in an entry; undefined when the entry is no configuration change. Empty data of kind EntryConfChangeV2
 * is the change that leaves a joint configuration. Bytes that encode no change are a broken invariant.
 */
export function decodeConfChange(entry: Entry): ConfChange | undefined {
  if (entry.kind === "EntryNormal") return undefined;
  const fields = readFields(entry.data);
  if (entry.kind === "EntryConfChange") {
    const context = fields.blocks.find((block) => block.field === 4);
    return confChangeV1(
      defined(types[fields.numbers.get(2) ?? 0], "the type of a configuration change"),
      fields.numbers.get(3) ?? 0,
      context?.bytes ?? emptyBytes,
    );
  }
  const changes = fields.blocks
    .filter((block) => block.field === 2)
    .map(({ bytes }): ConfChangeSingle => {
      const { numbers } = readFields(bytes);
      const type = defined(types[numbers.get(1) ?? 0], "the type of a configuration change");
      return { type, nodeId: numbers.get(2) ?? 0 };
    });
  const transition = defined(transitions[fields.numbers.get(1) ?? 0], "the transition");
  const context = fields.blocks.find((block) => block.field === 3);
  return confChangeV2(changes, transition, context?.bytes ?? emptyBytes);
}

/** Reads `v1 l2 r3 u4`. The result is a text, the error in etcd's words, when a token is malformed. */
export function confChangesFromText(text: string): readonly ConfChangeSingle[] | string {
  const changes: ConfChangeSingle[] = [];
  const trimmed = text.trim();
  for (const token of trimmed === "" ? [] : trimmed.split(" ")) {
    if (token.length < 2) return `unknown token ${token}`;
    const type = types.find((candidate) => letters[candidate] === token[0]);
    if (type === undefined) return `unknown input: ${token}`;
    const id = token.slice(1);
    if (!/^\d+$/.test(id)) return `strconv.ParseUint: parsing "${id}": invalid syntax`;
    changes.push({ type, nodeId: Number(id) });
  }
  return changes;
}

/** Writes `v1 l2 r3 u4`. */
export function confChangesToText(changes: readonly ConfChangeSingle[]): string {
  return changes.map(({ type, nodeId }) => `${letters[type]}${nodeId}`).join(" ");
}

type Writer = ReturnType<typeof createByteWriter>;

function varintField(writer: Writer, field: number, value: number): void {
  writer.varint(field * 8);
  writer.varint(value);
}

function blockField(writer: Writer, field: number, bytes: Uint8Array): void {
  writer.varint(field * 8 + 2);
  writer.block(bytes);
}

interface Fields {
  readonly numbers: ReadonlyMap<number, number>;
  readonly blocks: readonly { readonly field: number; readonly bytes: Uint8Array }[];
}

/** Splits protobuf bytes into the two wire types that these messages use, varints and length-delimited blocks. */
function readFields(data: Uint8Array): Fields {
  const reader = createByteReader(data);
  const numbers = new Map<number, number>();
  const blocks: { field: number; bytes: Uint8Array }[] = [];
  while (reader.offset < data.length) {
    const tag = reader.varint();
    const field = Math.floor(tag / 8);
    if (tag % 8 === 2) blocks.push({ field, bytes: reader.block() });
    else numbers.set(field, reader.varint());
  }
  return { numbers, blocks };
}
