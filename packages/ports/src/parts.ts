/**
 * Payloads above the size of a part, sent in parts: at most `partWindow` of them are in flight, and each part that
 * has arrived is a credit for the next. A large answer so leaves room for other frames on its connection.
 */
import { concatBytes, OperationError, type NodeId } from "@orrery/stdx";

const partBytes = 1024 * 1024;
const partWindow = 4;
/** Limit of a payload; a larger one is refused before it is sent. */
export const maxPayloadBytes: number = 1024 * 1024 * 1024;

/** A part of a payload. */
export interface Part {
  readonly bytes: Uint8Array;
  /** The number of parts before it. */
  readonly number: number;
  readonly isLast: boolean;
}

/** The sending side of one payload. */
export interface PartSender {
  /** The receiver has a part: the next one may be sent. */
  credit(): void;
}

/**
 * Calls `send` for each part of at most `limitBytes`: for the first `partWindow` parts at once, then for one part per
 * credit, until `send` returns false. A payload that fits is one part, the last one.
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
      // More credits than parts were sent come from a peer that does not keep the protocol.
      if (credits === partWindow || isDone) return;
      credits += 1;
      pump();
    },
  };
}

/** The size of parts towards a node. On the local node payloads are not split: there is no connection to keep free. */
export function partSizeFor(to: NodeId, localNodeId: NodeId): number {
  return to === localNodeId ? Number.POSITIVE_INFINITY : partBytes;
}

/** The whole payload, from its earlier parts and the last one. */
export function joinParts(parts: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return parts.length === 0 ? last : concatBytes([...parts, last]);
}

/**
 * The error of a payload with a missing part. INV-PORTS-1: a payload is delivered whole or not at all, whatever
 * frames a network loses.
 */
export function partLost(wanted: number, got: number): OperationError {
  return new OperationError({
    type: "stream_corrupted_exception",
    reason: `part [${got}] of a message arrived in the place of part [${wanted}]`,
    status: 500,
    isRetryable: true,
  });
}

/** The error of a payload above `maxPayloadBytes`; `undefined` for a smaller one. */
export function tooLarge(payload: Uint8Array): OperationError | undefined {
  if (payload.length <= maxPayloadBytes) return undefined;
  return new OperationError({
    type: "illegal_argument_exception",
    reason: `transport message of [${payload.length}] bytes is larger than the limit of [${maxPayloadBytes}] bytes`,
    status: 400,
  });
}
