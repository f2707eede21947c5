/**
 * Conditions of the simulated network: latency, bandwidth, cut links, and the rules that drop, duplicate, reorder or
 * reset.
 */
import type { NetworkRule } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

/** An applied network rule. A hit is an effect on a frame, a connection attempt or a close notification. */
export interface AppliedNetworkRule {
  hits(): number;
  end(): void;
}

export interface Conditions {
  /** Latency of one frame, drawn anew for each: the base latency plus that of every `delay` rule. */
  latencyMs(from: string, to: string): number;
  /** Draws whether a rule of this kind affects a frame between these nodes now, and counts the hit. */
  happens(
    kind: "lose" | "duplicate" | "reorder" | "reset" | "half-open" | "half-reset",
    from: string,
    to: string,
  ): boolean;
  /** True if nothing responds on a dead connection between these nodes (a `half-open` rule is active). */
  isSilent(from: string, to: string): boolean;
  /** Draws whether a rule of this kind affects a frame of this action now, and counts the hit. */
  meets(kind: "drop" | "reject", from: string, to: string, action: string): boolean;
  /** Time for which this number of bytes occupies the connection under `throttle` rules; 0 without any. */
  busyMs(from: string, to: string, bytes: number): number;
  isCut(from: string, to: string): boolean;
  applyRule(rule: NetworkRule): AppliedNetworkRule;
  /** Upper bound of the base latency. */
  readonly calmHighMs: number;
}

/** Base latency, in milliseconds, without faults. */
const CALM_MS = { low: 0.1, high: 0.6 };

interface Active<Rule extends NetworkRule = NetworkRule> {
  readonly rule: Rule;
  readonly from: ReadonlySet<string>;
  readonly to: ReadonlySet<string>;
  hits: number;
}

type ActiveRules = {
  readonly [Kind in NetworkRule["kind"]]: Active<Extract<NetworkRule, { readonly kind: Kind }>>[];
};

export function createConditions(random: Random): Conditions {
  const rules: ActiveRules = {
    ...{ cut: [], delay: [], lose: [], duplicate: [], reorder: [] },
    ...{ throttle: [], reset: [], drop: [], reject: [] },
    ...{ "half-open": [], "half-reset": [] },
  };
  const between = (low: number, high: number): number =>
    low + (random.int(0, 1000) / 1000) * (high - low);

  return {
    calmHighMs: CALM_MS.high,
    latencyMs: (from, to) => {
      let latencyMs = between(CALM_MS.low, CALM_MS.high);
      for (const active of rules.delay) {
        if (!isAcross(active, from, to)) continue;
        active.hits += 1;
        latencyMs += between(active.rule.lowMs, active.rule.highMs);
      }
      return latencyMs;
    },
    happens: (kind, from, to) => {
      for (const active of rules[kind]) {
        if (!isAcross(active, from, to) || random.int(1, 1000) > active.rule.perMille) continue;
        active.hits += 1;
        return true;
      }
      return false;
    },
    meets: (kind, from, to, action) => {
      for (const active of rules[kind]) {
        if (!isAcross(active, from, to) || !isNamed(active.rule.actions, action)) continue;
        if (random.int(1, 1000) > active.rule.perMille) continue;
        active.hits += 1;
        return true;
      }
      return false;
    },
    busyMs: (from, to, bytes) => {
      let busyMs = 0;
      for (const active of rules.throttle) {
        if (!isAcross(active, from, to)) continue;
        active.hits += 1;
        busyMs = Math.max(busyMs, (bytes * 1000) / active.rule.bytesPerSecond);
      }
      return busyMs;
    },
    isCut: (from, to) => {
      for (const active of rules.cut) {
        if (!isAcross(active, from, to)) continue;
        active.hits += 1;
        return true;
      }
      return false;
    },
    isSilent: (from, to) => rules["half-open"].some((active) => isAcross(active, from, to)),
    applyRule: (rule) => {
      const { from, to } = rule.links;
      const active = { rule, from: new Set(from), to: new Set(to), hits: 0 };
      const siblings = rules[rule.kind] as Active[];
      siblings.push(active);
      return {
        hits: () => active.hits,
        end: () => {
          const at = siblings.indexOf(active);
          if (at >= 0) siblings.splice(at, 1);
        },
      };
    },
  };
}

function isAcross({ rule, from, to }: Active, sender: string, receiver: string): boolean {
  if (from.has(sender) && to.has(receiver)) return true;
  return rule.links.both && from.has(receiver) && to.has(sender);
}

/** An action that ends in `*` matches every action with that prefix. */
function isNamed(actions: readonly string[], action: string): boolean {
  return actions.some((named) =>
    named.endsWith("*") ? action.startsWith(named.slice(0, -1)) : action === named,
  );
}
