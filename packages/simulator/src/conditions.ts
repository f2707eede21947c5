/** What the network does to frames at the moment: how long they travel, what becomes of them, which links are cut. */
import type { NetworkRule } from "@orrery/ports";
import type { Random } from "@orrery/stdx";

/** A rule at work: it counts the frames it changed. */
export interface NetworkHarm {
  hits(): number;
  end(): void;
}

export interface Conditions {
  /** Drawn anew for each frame. */
  latencyMs(from: string, to: string): number;
  /** Whether a frame from here to there is hit now by a rule of this kind. */
  happens(
    kind: "lose" | "duplicate" | "reorder" | "reset" | "half-open" | "half-reset",
    from: string,
    to: string,
  ): boolean;
  /** Whether nothing answers what comes by a dead connection. */
  isSilent(from: string, to: string): boolean;
  /** Whether a frame of this action is hit now by a rule of this kind. */
  meets(kind: "drop" | "reject", from: string, to: string, action: string): boolean;
  /** How long so many bytes keep their connection busy. */
  busyMs(from: string, to: string, bytes: number): number;
  isCut(from: string, to: string): boolean;
  harm(rule: NetworkRule): NetworkHarm;
  /** The longest a frame travels while nothing is wrong. */
  readonly calmHighMs: number;
}

/** How long frames travel while nothing is wrong. */
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
    harm: (rule) => {
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

/** An action that ends in `*` means all that start so. */
function isNamed(actions: readonly string[], action: string): boolean {
  return actions.some((named) =>
    named.endsWith("*") ? action.startsWith(named.slice(0, -1)) : action === named,
  );
}
