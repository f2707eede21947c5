/**
 * Problems in messages. `readWireProblem` rebuilds the problem from a peer's message, so that nothing else of the
 * message can reach a client, or rejects it.
 */
import { OperationError, type Json, type Problem } from "@orrery/stdx";
import type { Problem as ProblemMessage, ProblemList } from "../generated/problem.js";
import { readWireObject, wireJson, wireText, type WireJson } from "./wire-json.ts";

/** A problem in the form that the encoder of its message takes. */
export interface WireProblem {
  readonly type: string;
  readonly reason?: string;
  readonly status: number;
  readonly metadata?: WireJson;
  readonly causedBy?: WireProblem;
  readonly suppressed?: { readonly problems: readonly WireProblem[] };
  readonly rootCauses?: { readonly problems: readonly WireProblem[] };
  readonly internal?: string;
  readonly isRetryable?: boolean;
}

/** The problem in the form of its message. */
export function wireProblem(problem: Problem): WireProblem {
  const { type, reason, status, metadata, causedBy, suppressed, rootCauses } = problem;
  const { internal, isRetryable } = problem;
  return {
    type: wireText(type),
    status,
    ...(reason === null ? {} : { reason: wireText(reason) }),
    ...(metadata === undefined ? {} : { metadata: wireJson(metadata) }),
    ...(causedBy === undefined ? {} : { causedBy: wireProblem(causedBy) }),
    ...(suppressed === undefined ? {} : { suppressed: { problems: suppressed.map(wireProblem) } }),
    ...(rootCauses === undefined ? {} : { rootCauses: { problems: rootCauses.map(wireProblem) } }),
    ...(internal === undefined ? {} : { internal: wireText(internal) }),
    ...(isRetryable === undefined ? {} : { isRetryable }),
  };
}

/** The problem in a decoded message. Throws `OperationError` for a malformed message. */
export function readWireProblem(message: ProblemMessage): Problem {
  const { type, reason, status, metadata, causedBy, suppressed, rootCauses } = message;
  const { internal, isRetryable } = message;
  if (type === "") throw malformed("it has no type");
  if (status < 400 || status > 599) throw malformed(`[${status}] is no status of a failure`);
  return {
    type,
    reason,
    status,
    ...(metadata === null ? {} : { metadata: readWireObject(metadata) as Record<string, Json> }),
    ...(causedBy === null ? {} : { causedBy: readWireProblem(causedBy) }),
    ...(suppressed === null ? {} : { suppressed: readProblems(suppressed) }),
    ...(rootCauses === null ? {} : { rootCauses: readProblems(rootCauses) }),
    ...(internal === null ? {} : { internal }),
    ...(isRetryable === null ? {} : { isRetryable }),
  };
}

function readProblems({ problems }: ProblemList): readonly Problem[] {
  return problems.map(readWireProblem);
}

function malformed(what: string): OperationError {
  const reason = `malformed problem: ${what}`;
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}
