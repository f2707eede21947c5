/**
 * Fault rules that are active at the moment, set from outside, and how often each took effect in
 * this process.
 */
import type { Rule, RuleKind } from "@orrery/ports";

/**
 * A rule that is active. Its `id` is unique for each injection, so that a rule with a single effect
 * (bit rot) acts once for each id.
 */
export type ActiveRule = Rule & { readonly id: string };
export type ActiveRuleOf<Kind extends RuleKind> = Extract<ActiveRule, { readonly kind: Kind }>;

/** Active rules of one process, shared by all decorators of its nodes. */
export interface FaultState {
  /**
   * Replaces the active rules. Listeners run before this returns, so rules that were added or
   * removed have taken effect by then.
   */
  set(rules: readonly ActiveRule[]): void;
  of<Kind extends RuleKind>(kind: Kind): readonly ActiveRuleOf<Kind>[];
  /** Active rules of a kind that name this node. */
  at<Kind extends NodeRuleKind>(kind: Kind, node: string): readonly NodeRuleOf<Kind>[];
  /** True if no rule is active: decorators then call the port below directly. */
  readonly isCalm: boolean;
  /** Calls the listener after each `set`; returns the function that unsubscribes it. */
  onChange(listener: () => void): () => void;
  /** Counts one effect of a rule, for the receipt of its fault. */
  tookEffect(id: string): void;
  /** Effects by rule id. Counts outlive their rules. */
  readonly hits: ReadonlyMap<string, number>;
}

/** Rules that name a single node. */
type NodeRule = Extract<ActiveRule, { readonly node: string }>;
type NodeRuleKind = NodeRule["kind"];
type NodeRuleOf<Kind extends NodeRuleKind> = Extract<NodeRule, { readonly kind: Kind }>;

export function createFaultState(initial: readonly ActiveRule[] = []): FaultState {
  const listeners = new Set<() => void>();
  const hits = new Map<string, number>();
  let byKind = groupByKind(initial);
  const of = <Kind extends RuleKind>(kind: Kind): readonly ActiveRuleOf<Kind>[] =>
    (byKind.get(kind) ?? none) as readonly ActiveRuleOf<Kind>[];
  return {
    of,
    at: <Kind extends NodeRuleKind>(kind: Kind, node: string) => {
      const rules = (byKind.get(kind) ?? none) as readonly NodeRuleOf<Kind>[];
      return rules.length === 0 ? rules : rules.filter((rule: NodeRule) => rule.node === node);
    },
    set: (rules) => {
      byKind = groupByKind(rules);
      for (const listener of [...listeners]) listener();
    },
    get isCalm() {
      return byKind.size === 0;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tookEffect: (id) => void hits.set(id, (hits.get(id) ?? 0) + 1),
    hits,
  };
}

const none: readonly ActiveRule[] = [];

function groupByKind(rules: readonly ActiveRule[]): ReadonlyMap<RuleKind, ActiveRule[]> {
  const groups = new Map<RuleKind, ActiveRule[]>();
  for (const rule of rules) {
    const group = groups.get(rule.kind);
    if (group === undefined) groups.set(rule.kind, [rule]);
    else group.push(rule);
  }
  return groups;
}
