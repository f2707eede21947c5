/**
 * Concurrent requests on one cluster of processes. Responses are judged one by one; the health of the nodes is observed
 * meanwhile, and attributed to the requests that were pending or had just ended.
 */
import { appendAll } from "@orrery/stdx";
import { setTimeout as sleep } from "node:timers/promises";
import { isBack, memoryFinding } from "../memory.ts";
import type { Finding, SessionOptions, Suspicion, TogetherOutcome } from "../target.ts";
import { createWindow } from "../window.ts";
import {
  answerOne,
  askHealth,
  complaintOf,
  isExplainedByLog,
  checkWorld,
  PATIENCE_MS,
  send,
  termsOf,
  type LiveWorld,
} from "./live-world.ts";
import { renew } from "./renew.ts";
import type { HttpCase } from "./request.ts";
import { warmUp } from "./warm-up.ts";

export interface TogetherOptions {
  readonly world: LiveWorld;
  readonly options: SessionOptions;
  readonly terms: string;
  readonly beforeBytes: number;
}

export interface Together {
  runTogether(given: readonly HttpCase[]): Promise<TogetherOutcome>;
  settle(): Promise<TogetherOutcome>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
/**
 * Number of requests after which the world is renewed, as created indices slow down every change of the cluster state.
 */
const RENEW_EVERY = 1000;
/** Time after which a pending request no longer delays the renewal, which ends most waits. */
const STRAGGLER_MS = 1000;
const REOPENS = /_close|_open|_restore|reroute/;
const QUIET_MS = 60_000;

export function createTogether({ world, options, terms, beforeBytes }: TogetherOptions): Together {
  const { nodes } = options;
  const window = createWindow(options.inFlight ?? 1, () => performance.now());
  let suspicions: Suspicion[] = [];
  let termsNow = terms;
  let count = 0;
  let since = 0;
  let round = 0;
  let slowestHealthMs = 0;
  let standing: "well" | "stale" | "fallen" = "well";
  /** Positions of requests that may give the index of the checks a new primary term. */
  const reopening = new Set<number>();
  const mayReopen = (suspects: readonly number[]): boolean =>
    suspects.some((at) => reopening.has(at));

  const suspect = (finding: Finding, suspects: readonly number[], from = since): void =>
    void suspicions.push({ finding, suspects, since: from });
  const fall = (finding: Finding): void => {
    standing = "fallen";
    suspect(finding, window.suspects());
  };
  const take = (): TogetherOutcome => {
    const told = suspicions;
    suspicions = [];
    return { suspicions: told, isSpent: standing === "fallen" };
  };

  const complaints = createComplaints(world.cluster, {
    suspect: (finding, suspects) =>
      suspect(finding, suspects.length > 0 ? suspects : window.suspects()),
    unexplained: (told) => appendAll(suspicions, told),
    fall,
    markHealthy: window.markHealthy,
  });
  const hearComplaint = complaints.hear;
  const isFallen = (): boolean => standing === "fallen";

  const look = async (): Promise<void> => {
    const startedMs = performance.now();
    hearComplaint(startedMs);
    if (isFallen()) return;
    await Promise.all(world.ports.map((port) => send(world, port, askHealth)));
    slowestHealthMs = Math.max(slowestHealthMs, performance.now() - startedMs);
    const { finding, isSpent } = await checkWorld(world, termsNow);
    const isOpened = finding?.cause === "primary term" && mayReopen(window.suspects());
    if (finding !== undefined && !isOpened) {
      hearComplaint(startedMs);
      if (!isFallen()) fall(finding);
      return;
    }
    if (isSpent === true) standing = "stale";
    else window.markHealthy(startedMs);
  };
  const watch = createWatch(look, () => standing === "well");

  const makeAnew = async (patienceMs: number): Promise<boolean> => {
    if (standing !== "fallen") await window.drained(patienceMs);
    await watch.stop();
    if (standing === "fallen") return false;
    hearComplaint();
    if (isFallen()) return false;
    round += 1;
    if (!(await renew(world, nodes, round))) return false;
    termsNow = await termsOf(world);
    since = count;
    reopening.clear();
    standing = "well";
    return true;
  };

  return {
    async runTogether(given) {
      for (const one of given) {
        if (standing === "stale" || count - since >= RENEW_EVERY) {
          if (!(await makeAnew(STRAGGLER_MS))) return { ...take(), isSpent: true };
        }
        if (standing === "fallen") break;
        watch.start();
        const from = since;
        if (REOPENS.test(one.uri)) reopening.add(count);
        await window.start(async (at) => {
          const finding = await answerOne(world, one);
          if (finding === undefined) return;
          if (isExplainedByLog(finding)) complaints.await({ finding, suspects: [at], since: from });
          else suspect(finding, [at], from);
        });
        count += 1;
      }
      return take();
    },
    async settle() {
      if (!(await makeAnew(PATIENCE_MS))) return { ...take(), isSpent: true };
      const untilMs = performance.now() + QUIET_MS;
      // An idle process does not collect garbage, so requests go on meanwhile.
      while (!isBack(beforeBytes, world.cluster.residentBytes()) && performance.now() < untilMs)
        await warmUp(world);
      const afterBytes = world.cluster.residentBytes();
      const { finding: fallen } = await checkWorld(world, termsNow);
      hearComplaint();
      if (fallen !== undefined && !isFallen()) fall(fallen);
      const finding = memoryFinding(beforeBytes, afterBytes, nodes);
      if (finding !== undefined) suspect(finding, [], 0);
      const memory = { beforeBytes, afterBytes };
      return { ...take(), measured: { memory, slowestHealthMs } };
    },
    stop: watch.stop,
  };
}

interface ComplaintEvents {
  /** Reports a finding that explains responses; without suspects every pending request is one. */
  readonly suspect: (finding: Finding, suspects: readonly number[]) => void;
  /** Reports responses that no log entry explained. */
  readonly unexplained: (told: readonly Suspicion[]) => void;
  readonly fall: (finding: Finding) => void;
  readonly markHealthy: (sinceMs: number) => void;
}

/**
 * Matches responses with log entries, which are read a little later; a response that is unexplained at the next reading
 * is reported as it is.
 */
function createComplaints(
  cluster: LiveWorld["cluster"],
  events: ComplaintEvents,
): { readonly await: (suspicion: Suspicion) => void; readonly hear: (sinceMs?: number) => void } {
  let untold: Suspicion[] = [];
  let untoldBefore = 0;
  return {
    await: (suspicion) => void untold.push(suspicion),
    hear(sinceMs = performance.now()) {
      const complaint = complaintOf(cluster);
      const explained = untold.splice(0, untoldBefore);
      untoldBefore = untold.length;
      if (complaint === undefined) {
        events.unexplained(explained);
        return;
      }
      if (complaint.cause.startsWith("crash")) return events.fall(complaint);
      const told = [...explained, ...untold];
      events.suspect(
        complaint,
        told.flatMap((one) => one.suspects),
      );
      untold = [];
      untoldBefore = 0;
      events.markHealthy(sinceMs);
    },
  };
}

/** Observes the nodes periodically, until a finding. */
function createWatch(
  look: () => Promise<void>,
  isWell: () => boolean,
): { start(): void; stop(): Promise<void> } {
  let looking: { readonly ended: Promise<void>; isOver: boolean } | undefined;
  return {
    start() {
      if (looking !== undefined) return;
      const watch = { isOver: false };
      const ended = (async () => {
        while (!watch.isOver && isWell()) {
          await look();
          await sleep(LOOK_EVERY_MS);
        }
      })();
      looking = Object.assign(watch, { ended });
    },
    async stop() {
      if (looking !== undefined) looking.isOver = true;
      await looking?.ended;
      looking = undefined;
    },
  };
}
