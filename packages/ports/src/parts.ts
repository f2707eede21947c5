/**
 * Payloads larger than a frame should be, in parts: at most `partWindow` of them are on their way, and each one that
 * arrived is a credit for the next. So a large answer leaves room for others on its connection.
 */
import { concatBytes, OperationError, type NodeId } from "@orrery/stdx";

const partBytes = 1024 * 1024;
const partWindow = 4;
/** A payload above this is refused where it would be sent. */
export const maxPayloadBytes: number = 1024 * 1024 * 1024;

export interface Part {
  readonly bytes: Uint8Array;
  /** How many came before it. */
  readonly number: number;
  readonly isLast: boolean;
}

export interface PartSender {
  /** A part has arrived. */
  credit(): void;
}

/**
 * Calls `send` for each part, the first ones at once, until it answers false. `limitBytes` is the size of a part; a
 * payload that fits is one part, the last.
 */
export function sendInParts(
  payload: Uint8Array,
  limitBytes: number,
  send: (part: Part) => boolean,
): PartSender {
  let credits = partWindow;
  let at = 0;
  let number = 0;
  let isDone = false;
  const pump = (): void => {
    while (credits > 0 && !isDone) {
      const end = Math.min(payload.length, at + limitBytes);
      credits -= 1;
      isDone = end === payload.length;
      if (!send({ bytes: payload.subarray(at, end), number, isLast: isDone })) isDone = true;
      at = end;
      number += 1;
    }
  };
  pump();
  return {
    credit() {
      // For a part that was not sent there is none.
      if (credits === partWindow || isDone) return;
      credits += 1;
      pump();
    },
  };
}

/** On the local node nothing is split: there is no connection to keep free. */
export function partSizeFor(to: NodeId, localNodeId: NodeId): number {
  return to === localNodeId ? Number.POSITIVE_INFINITY : partBytes;
}

/** The whole payload, from the parts that came before and the last one. */
export function joinParts(parts: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return parts.length === 0 ? last : concatBytes([...parts, last]);
}

/** INV-PORTS-1: a payload is handed on whole or not at all, whatever frames a network loses. */
export function partLost(wanted: number, got: number): OperationError {
  return new OperationError({
    type: "stream_corrupted_exception",
    reason: `part [${got}] of a message arrived in the place of part [${wanted}]`,
    status: 500,
    isRetryable: true,
  });
}

/** The problem with a payload above the limit. */
export function tooLarge(payload: Uint8Array): OperationError | undefined {
  if (payload.length <= maxPayloadBytes) return undefined;
  return new OperationError({
    type: "illegal_argument_exception",
    reason: `transport message of [${payload.length}] bytes is larger than the limit of [${maxPayloadBytes}] bytes`,
    status: 400,
  });
}
