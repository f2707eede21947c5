/** Rules applied to the models of the simulator. */
import type { Rule } from "@orrery/ports";
import type { Simulation } from "@orrery/simulator";
import type { AppliedRule } from "./world.ts";

/** Rule applied to a model, with synchronous access to its hits. */
interface AppliedModelRule {
  readonly hits: () => number;
  readonly end: () => void;
}

export function applyToSimulation(simulation: Simulation, rule: Rule): AppliedRule {
  const applied = applyToModel(simulation, rule);
  return { hits: async () => applied.hits(), end: async () => applied.end() };
}

function applyToModel(simulation: Simulation, rule: Rule): AppliedModelRule {
  switch (rule.kind) {
    case "cut":
    case "delay":
    case "lose":
    case "duplicate":
    case "reorder":
    case "throttle":
    case "reset":
    case "half-open":
    case "half-reset":
    case "drop":
    case "reject":
      return simulation.network.applyRule(rule);
    case "disk-full":
    case "disk-slow":
    case "sync-fails":
    case "pages-lost":
    case "sync-lies":
    case "read-only":
    case "misdirected-write":
    case "torn-write":
    case "bit-rot":
    case "read-error":
    case "lost-name":
      return simulation.disk(rule.node).applyRule(rule);
    case "store-fails":
    case "store-slow":
    case "store-rot":
      return simulation.store(rule.node).applyRule(rule);
    case "pause":
      return simulation.gate(rule.node).pause();
    case "slow":
      return simulation.gate(rule.node).slow(rule.delayMs);
    case "thread-pause":
      return simulation.gate(rule.node, rule.thread).pause();
    case "thread-slow":
      return simulation.gate(rule.node, rule.thread).slow(rule.delayMs);
    case "short-turns":
      return simulation.gate(rule.node, rule.thread).shortTurns(rule.restMs);
    case "worker-death": {
      const hits = simulation.killWorker(rule.node, rule.thread) ? 1 : 0;
      return { hits: () => hits, end: () => undefined };
    }
    case "clock-skew":
      return simulation.wall(rule.node).skew(rule.offsetMs, rule.driftPerMillion);
    case "clock-strobe":
      return simulation.wall(rule.node).strobe(rule.offsetMs, rule.periodMs);
    case "clock-jump":
      return simulation.wall(rule.node).jump(rule.offsetMs);
    case "repository-slow":
    case "repository-fails":
    case "repository-full":
    case "repository-missing":
    case "repository-corrupt":
      return simulation.blobs.applyRule(rule);
  }
}
