/**
 * Messages, entries and Ready as lines of text, in the words of etcd-io/raft (`util.go`).
 *
 * Transcripts compare these lines byte for byte; traces show them to people.
 */
import { asV2, confChangesToText, decodeConfChange } from "./conf-change.ts";
import { localAppendThread, localApplyThread, none } from "./message.ts";
import { quote } from "./quote.ts";
import type {
  ConfChange,
  ConfState,
  Entry,
  HardState,
  Message,
  Ready,
  Snapshot,
  SoftState,
} from "./types.ts";

/** Prints the data of a normal entry; by default as a quoted string. */
export type EntryFormatter = (data: Uint8Array) => string;

const quoted: EntryFormatter = (data) => quote(data);

/** Several lines, each ended by a line break; fields without content are left out. Without any, `<empty Ready>`. */
export function describeReady(ready: Ready, format: EntryFormatter = quoted): string {
  const { softState, hardState, readStates, entries, snapshot, committedEntries, messages } = ready;
  let text = "";
  if (softState !== undefined) text += `${describeSoftState(softState)}\n`;
  if (hardState !== undefined) text += `HardState ${describeHardState(hardState)}\n`;
  if (readStates.length > 0) {
    const states = readStates.map(
      ({ index, requestContext }) => `{${index} [${requestContext.join(" ")}]}`,
    );
    text += `ReadStates [${states.join(" ")}]\n`;
  }
  if (entries.length > 0) text += `Entries:\n${describeEntries(entries, format)}`;
  if (snapshot !== undefined) text += `Snapshot ${describeSnapshot(snapshot)}\n`;
  if (committedEntries.length > 0) {
    text += `CommittedEntries:\n${describeEntries(committedEntries, format)}`;
  }
  if (messages.length > 0) {
    text += "Messages:\n";
    for (const message of messages) text += `${describeMessage(message, format)}\n`;
  }
  return text === "" ? "<empty Ready>" : `Ready MustSync=${ready.mustSync}:\n${text}`;
}

/**
 * One line, without a line break at its end. Several entries, a snapshot and nested responses follow on lines of
 * their own, with two more spaces of indentation than `indent`.
 */
export function describeMessage(
  message: Message,
  format: EntryFormatter = quoted,
  indent = "",
): string {
  const { from, to, kind, term, logTerm, index, entries, snapshot, responses } = message;
  let text = `${indent}${describeTarget(from)}->${describeTarget(to)} ${kind} Term:${term} Log:${logTerm}/${index}`;
  if (message.reject) text += ` Rejected (Hint: ${message.rejectHint})`;
  if (message.commit !== 0) text += ` Commit:${message.commit}`;
  if (message.vote !== 0) text += ` Vote:${message.vote}`;
  const lines = entries.map((entry) => describeEntry(entry, format));
  if (lines.length === 1) text += ` Entries:[${lines[0]}]`;
  else if (lines.length > 1) {
    text += ` Entries:[${lines.map((line) => `\n${indent}  ${line}`).join("")}\n${indent}]`;
  }
  if (snapshot !== undefined && snapshot.index > 0) {
    text += `\n${indent}  Snapshot: ${describeSnapshot(snapshot)}`;
  }
  if (responses.length > 0) {
    const nested = responses.map((response) => describeMessage(response, format, `${indent}  `));
    text += ` Responses:[\n${nested.join("\n")}\n${indent}]`;
  }
  return text;
}

/** One line per entry, each ended by a line break. */
export function describeEntries(
  entries: readonly Entry[],
  format: EntryFormatter = quoted,
): string {
  return entries.map((entry) => `${describeEntry(entry, format)}\n`).join("");
}

/** Term, index, kind, then the data or the configuration change. */
export function describeEntry(entry: Entry, format: EntryFormatter = quoted): string {
  const change = decodeConfChange(entry);
  const text = change === undefined ? format(entry.data) : confChangesToText(asV2(change).changes);
  return `${entry.term}/${entry.index} ${entry.kind}${text === "" ? "" : ` ${text}`}`;
}

/** A change as Go prints the structure. */
export function describeConfChange(change: ConfChange): string {
  const context = `[${change.context.join(" ")}]`;
  if (change.kind === "v1") return `{${change.type} ${change.nodeId} ${context} 0}`;
  const changes = change.changes.map(({ type, nodeId }) => `{${type} ${nodeId}}`).join(" ");
  return `{${change.transition} [${changes}] ${context}}`;
}

function describeSoftState({ lead, role }: SoftState): string {
  return `Lead:${lead} State:${role}`;
}

function describeHardState({ term, vote, commit }: HardState): string {
  return `Term:${term}${vote === 0 ? "" : ` Vote:${vote}`} Commit:${commit}`;
}

function describeSnapshot({ index, term, confState }: Snapshot): string {
  return `Index:${index} Term:${term} ConfState:${describeConfState(confState)}`;
}

function describeConfState(state: ConfState): string {
  const list = (ids: readonly number[]): string => `[${ids.join(" ")}]`;
  return (
    `Voters:${list(state.voters)} VotersOutgoing:${list(state.votersOutgoing)} ` +
    `Learners:${list(state.learners)} LearnersNext:${list(state.learnersNext)} ` +
    `AutoLeave:${state.autoLeave}`
  );
}

function describeTarget(id: number): string {
  if (id === none) return "None";
  if (id === localAppendThread) return "AppendThread";
  return id === localApplyThread ? "ApplyThread" : id.toString(16);
}
