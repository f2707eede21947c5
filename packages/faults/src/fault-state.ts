/** The rules that are on at the moment, set from outside, and how often each took effect here. */
import type { Rule, RuleKind } from "@orrery/ports";

/** A rule that was put in force: its `id` is unique, so that what happens once happens once for each id. */
export type ActiveRule = Rule & { readonly id: string };
export type ActiveRuleOf<Kind extends RuleKind> = Extract<ActiveRule, { readonly kind: Kind }>;

export interface FaultState {
  /** Replaces what was on. Those that came new and those that are gone take effect before this returns. */
  set(rules: readonly ActiveRule[]): void;
  of<Kind extends RuleKind>(kind: Kind): readonly ActiveRuleOf<Kind>[];
  /** Those of a kind that are meant for a node. */
  at<Kind extends NodeRuleKind>(kind: Kind, node: string): readonly NodeRuleOf<Kind>[];
  /** Whether there is none at all: the way that costs nothing. */
  readonly isCalm: boolean;
  /** Tells of every `set`; returns what ends that. */
  onChange(listener: () => void): () => void;
  /** A receipt: it did something to somebody. */
  tookEffect(id: string): void;
  /** By the rule's id. Counts stay when the rule has ended. */
  readonly hits: ReadonlyMap<string, number>;
}

/** Rules that name one node. */
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
