/** A pattern compiled to steps, which are matched one after the other, with splits where there are two alternatives. */
import { illegalArgument } from "../problem.ts";
import type { CharSet } from "./char-set.ts";
import { lengthOf, type Anchor, type Mode, type Node, type Syntax } from "./syntax.ts";

/** A step; positions in it are indices of steps. */
export type Step =
  | { readonly op: "set"; readonly set: CharSet; readonly ascii: Uint8Array }
  /** A possessive loop over a set: matches as many characters as there are, and gives none back. */
  | {
      readonly op: "run";
      readonly set: CharSet;
      readonly ascii: Uint8Array;
      readonly min: number;
      readonly max: number;
    }
  /** `first` is tried first. `number` counts the splits. */
  | { readonly op: "split"; first: number; second: number; readonly number: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save"; readonly slot: number }
  | { readonly op: "anchor"; readonly anchor: Anchor; readonly isUnixLines: boolean }
  | { readonly op: "look"; readonly isNegated: boolean; after: number }
  | {
      readonly op: "look-behind";
      readonly isNegated: boolean;
      readonly min: number;
      readonly max: number;
      after: number;
    }
  | { readonly op: "atomic"; after: number }
  | {
      readonly op: "back-reference";
      readonly group: number;
      readonly fold: "none" | "ascii" | "unicode";
    }
  /** Leaves a loop whose last round matched nothing. */
  | { readonly op: "leave-if-empty"; readonly slot: number; to: number }
  | { readonly op: "match" };

export interface Program {
  readonly steps: readonly Step[];
  readonly splitCount: number;
  /** Slots of groups, two each, and of loops that record where an iteration began. */
  readonly slotCount: number;
  /** Whether a match depends on more than step and position. */
  readonly hasMemory: boolean;
}

const STEPS_MAX = 20_000;

/**
 * Compiles a syntax tree into steps.
 * @throws OperationError `illegal_argument_exception`: counted repetitions multiply to too many steps.
 */
export function compileProgram({ node, groupCount }: Syntax): Program {
  const compiler = new Compiler(groupCount);
  compiler.node(node, true);
  compiler.add({ op: "match" });
  const { steps, splitCount, slotCount, hasMemory } = compiler;
  return { steps, splitCount, slotCount, hasMemory };
}

class Compiler {
  readonly steps: Step[] = [];
  splitCount = 0;
  slotCount: number;
  hasMemory = false;
  private readonly tables = new Map<CharSet, Uint8Array>();

  constructor(groupCount: number) {
    this.slotCount = 2 * (groupCount + 1);
  }

  add<S extends Step>(step: S): S {
    if (this.steps.length >= STEPS_MAX)
      throw illegalArgument("regular expression is too large: its repetitions multiply");
    this.steps.push(step);
    return step;
  }

  /** `isLast`: nothing follows, so a greedy loop never has to give characters back. */
  node(node: Node, isLast: boolean): void {
    switch (node.kind) {
      case "set":
        this.add({ op: "set", set: node.set, ascii: this.tableOf(node.set) });
        return;
      case "all-of":
        node.parts.forEach((part, i) => this.node(part, isLast && i === node.parts.length - 1));
        return;
      case "any-of":
        this.choice(node.parts, isLast);
        return;
      case "repeat":
        this.repetition(node, isLast);
        return;
      case "group":
        this.add({ op: "save", slot: node.number * 2 });
        this.node(node.part, false);
        this.add({ op: "save", slot: node.number * 2 + 1 });
        return;
      case "atomic": {
        const step = this.add({ op: "atomic", after: 0 });
        step.after = this.inner(node.part, true);
        return;
      }
      case "look": {
        const { isNegated, part } = node;
        const step = node.isBehind
          ? this.add({ op: "look-behind", isNegated, ...lengthOf(part), after: 0 })
          : this.add({ op: "look", isNegated, after: 0 });
        // A look-behind must end where it began: its loops give characters back.
        step.after = this.inner(part, !node.isBehind);
        return;
      }
      case "anchor":
        if (node.anchor === "search-start") this.hasMemory = true;
        this.add({ op: "anchor", anchor: node.anchor, isUnixLines: node.isUnixLines });
        return;
      case "back-reference":
        this.hasMemory = true;
        this.add({ op: "back-reference", group: node.group, fold: node.fold });
    }
  }

  /** Compiles a part that is matched by itself, from the next step on. Returns the index behind it. */
  private inner(part: Node, isLast: boolean): number {
    this.node(part, isLast);
    this.add({ op: "match" });
    return this.steps.length;
  }

  private choice(parts: readonly Node[], isLast: boolean): void {
    const jumps: { to: number }[] = [];
    parts.forEach((part, i) => {
      if (i === parts.length - 1) {
        this.node(part, isLast);
        return;
      }
      const split = this.split();
      split.first = this.steps.length;
      this.node(part, isLast);
      jumps.push(this.add({ op: "jump", to: 0 }));
      split.second = this.steps.length;
    });
    for (const jump of jumps) jump.to = this.steps.length;
  }

  private repetition(
    { part, min, max, mode }: Extract<Node, { kind: "repeat" }>,
    isLast: boolean,
  ): void {
    if (part.kind === "set" && (mode === "possessive" || (mode === "greedy" && isLast))) {
      this.add({ op: "run", set: part.set, ascii: this.tableOf(part.set), min, max });
      return;
    }
    if (mode === "possessive") {
      const step = this.add({ op: "atomic", after: 0 });
      step.after = this.inner({ kind: "repeat", part, min, max, mode: "greedy" }, true);
      return;
    }
    for (let i = 0; i < min; i += 1) this.node(part, false);
    if (max === Infinity) {
      this.loop(part, mode);
      return;
    }
    const splits = Array.from({ length: max - min }, () => {
      const split = this.split();
      this.wayIn(split, mode, this.steps.length);
      this.node(part, false);
      return split;
    });
    for (const split of splits) this.wayOut(split, mode, this.steps.length);
  }

  private loop(part: Node, mode: Mode): void {
    const start = this.steps.length;
    const split = this.split();
    this.wayIn(split, mode, this.steps.length);
    const canBeEmpty = lengthOf(part).min === 0;
    const slot = this.slotCount;
    if (canBeEmpty) {
      this.slotCount += 1;
      this.add({ op: "save", slot });
    }
    this.node(part, false);
    const leave = canBeEmpty ? this.add({ op: "leave-if-empty", slot, to: 0 }) : undefined;
    this.add({ op: "jump", to: start });
    if (leave !== undefined) leave.to = this.steps.length;
    this.wayOut(split, mode, this.steps.length);
  }

  private split(): Extract<Step, { op: "split" }> {
    this.splitCount += 1;
    return this.add({ op: "split", first: 0, second: 0, number: this.splitCount - 1 });
  }

  private wayIn(split: Extract<Step, { op: "split" }>, mode: Mode, to: number): void {
    if (mode === "lazy") split.second = to;
    else split.first = to;
  }

  private wayOut(split: Extract<Step, { op: "split" }>, mode: Mode, to: number): void {
    if (mode === "lazy") split.first = to;
    else split.second = to;
  }

  private tableOf(set: CharSet): Uint8Array {
    let table = this.tables.get(set);
    if (table === undefined) {
      table = Uint8Array.from({ length: 128 }, (_, code) => (set.has(code) ? 1 : 0));
      this.tables.set(set, table);
    }
    return table;
  }
}
