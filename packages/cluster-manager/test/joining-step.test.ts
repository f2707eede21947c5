/** When a node asks for membership, and what it makes of the answers: decided without a clock. */
import type { Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  joiningStep,
  notJoining,
  type JoiningEffect,
  type JoiningEvent,
  type JoiningState,
} from "../src/joining-step.ts";
import { node } from "./nodes.ts";

const manager = node("m");
const other = node("o");
const refusal: Problem = { type: "illegal_argument_exception", reason: "no", status: 400 };
const lost: Problem = { type: "node_disconnected_exception", reason: "gone", status: 500 };
const decommissioned: Problem = {
  type: "node_decommissioned_exception",
  reason: "out",
  status: 500,
};

const known = (to = manager, nowMs = 0): JoiningEvent => ({
  kind: "manager-known",
  manager: to,
  nowMs,
});
const unknown: JoiningEvent = { kind: "manager-known", manager: undefined, nowMs: 0 };
const due: JoiningEvent = { kind: "retry-due" };
const refused = (problem: Problem, nowMs = 0): JoiningEvent => ({
  kind: "refused",
  problem,
  nowMs,
  decommissionedPauseMs: 120_000,
});

/** The state after the events, and the effects of the last one. */
function after(...events: readonly JoiningEvent[]): {
  readonly state: JoiningState;
  readonly effects: readonly JoiningEffect[];
} {
  let step = { state: notJoining, effects: [] as readonly JoiningEffect[] };
  for (const event of events) step = joiningStep(step.state, event);
  return step;
}

const retries = (effects: readonly JoiningEffect[]): number[] =>
  effects.flatMap((effect) => (effect.kind === "set-retry" ? [effect.delayMs] : []));

describe("a cluster manager that is known", () => {
  test("is asked at once, and only once at a time", () => {
    expect(retries(after(known()).effects)).toEqual([0]);
    expect(after(known(), due).effects).toEqual([{ kind: "ask", manager }]);
    expect(after(known(), due, due).effects).toEqual([]);
  });

  test("is not asked again when it is named again", () => {
    expect(after(known(), known()).effects).toEqual([]);
  });

  test("takes the place of another one, whose answer nobody waits for any more", () => {
    const { effects } = after(known(), due, known(other));

    expect(effects.map(({ kind }) => kind)).toEqual(["cancel-request", "set-retry"]);
    expect(after(known(), due, known(other), refused(lost), due).effects).toEqual([
      { kind: "ask", manager: other },
    ]);
  });

  test("is not asked when it is no more by the time the retry is due", () => {
    expect(after(known(), unknown).effects.at(-1)).toEqual({ kind: "cancel-retry" });
    expect(after(known(), unknown, due).effects).toEqual([]);
  });
});

describe("a request", () => {
  test("that fails is sent again after 20 ms, then twice as long, up to a second", () => {
    const delays: number[] = [];
    let { state } = after(known());
    for (let i = 0; i < 8; i += 1) {
      ({ state } = joiningStep(state, due));
      const step = joiningStep(state, refused(lost));
      ({ state } = step);
      delays.push(...retries(step.effects));
    }

    expect(delays).toEqual([20, 40, 80, 160, 320, 640, 1000, 1000]);
  });

  test("that is accepted is sent again after two seconds, while the log has not come", () => {
    const answers: readonly JoiningEvent[] = [
      { kind: "answered" },
      { kind: "accepted", nowMs: 100 },
    ];

    const { state, effects } = after(known(), due, refused(lost), due, ...answers);

    expect(retries(effects)).toEqual([2000]);
    expect(state).toMatchObject({ isAsking: false, delayMs: 20 });
  });

  test("that is accepted when this node is a member already is not sent again", () => {
    const { effects } = after(known(), due, { kind: "answered" }, unknown, {
      kind: "accepted",
      nowMs: 0,
    });

    expect(effects).toEqual([]);
  });

  test("of a node that is stopped is cancelled, and no other one follows", () => {
    const stopped = after(known(), due, { kind: "stopped" });

    expect(stopped.effects.map(({ kind }) => kind)).toEqual(["cancel-request", "cancel-retry"]);
    expect(joiningStep(stopped.state, refused(lost)).effects).toEqual([]);
  });
});

describe("a refusal", () => {
  test("is logged once while its words stay the same, and told each time", () => {
    const first = after(known(), due, refused(refusal));
    const second = joiningStep(joiningStep(first.state, due).state, refused(refusal));

    expect(first.effects.map(({ kind }) => kind)).toEqual(["warn", "report-refusal", "set-retry"]);
    expect(second.effects.map(({ kind }) => kind)).toEqual(["report-refusal", "set-retry"]);
  });

  test("is logged again once another cluster manager was looked for", () => {
    const { state } = after(known(), due, refused(refusal), unknown, known(), due);

    expect(joiningStep(state, refused(refusal)).effects[0]).toMatchObject({ kind: "warn" });
  });

  test("that only says that the cluster manager is lost is told to nobody", () => {
    expect(after(known(), due, refused(lost)).effects.map(({ kind }) => kind)).toEqual([
      "set-retry",
    ]);
  });

  test("of a decommissioned node keeps it from asking any cluster manager before its pause is over", () => {
    const away = after(known(), due, refused(decommissioned, 1000));

    expect(retries(away.effects)).toEqual([120_000]);
    expect(away.state.isDecommissioned).toBe(true);
    expect(retries(joiningStep(away.state, known(other, 31_000)).effects)).toEqual([90_000]);
  });

  test("of a decommissioned node is over with the first answer that is none", () => {
    const { state } = after(known(), due, refused(decommissioned), due, { kind: "answered" });

    expect(state.isDecommissioned).toBe(false);
  });
});
