/**
 * Work that the queries of a request cause beyond their own clauses: texts to be analyzed, terms near to others. Accounts are of the whole
 * request; near terms are looked up once a query is read to its end, one after the other, so that neighbours have their turn in between.
 */
import { Growth, QUERY_GROWTH, type Analyzer } from "@orrery/analysis";
import { OperationError } from "@orrery/stdx";
import type { Dfa } from "../automata/dfa.ts";
import type { Plan } from "./plan.ts";
import type { Rest } from "../work/steps.ts";
import { tooManyNested, type QueryLimits } from "./query-limits.ts";

export interface PositionedTerm {
  readonly text: string;
  readonly position: number;
}

/** Looks up what a plan stands for. */
type Expand = (rest: Rest) => Generator<undefined, Plan>;

/** Leaves of a query that is refused anyway, so many times the limit, are not made. */
const TIMES_TOO_MANY = 16;

/** Characters that a known term counts as: it becomes part of a plan once more. */
const TERM = 16;

/** Characters that a word counts as for each field it is tried on: a quarter of a million of both together are allowed. */
const FIELD = 64;

interface AnalyzedText {
  readonly text: string;
  readonly terms: readonly PositionedTerm[];
}

export class BuildWork {
  readonly growth: Growth = new Growth(QUERY_GROWTH);
  private leaves = 0;
  private known: Map<Analyzer, AnalyzedText> | undefined;
  private lastAutomaton: { readonly label: string; readonly dfa: Dfa } | undefined;
  private waiting: { readonly plan: Plan; readonly expand: Expand }[] = [];

  /** Another query begins. */
  begin(): void {
    this.leaves = 0;
    this.waiting = [];
  }

  /** An analyzer's terms of the last text it was given: the fields of a query have few analyzers and one text. */
  analyzed(
    analyzer: Analyzer,
    text: string,
    analyze: () => readonly PositionedTerm[],
  ): readonly PositionedTerm[] {
    this.known ??= new Map();
    const last = this.known.get(analyzer);
    if (last?.text === text) {
      this.growth.characters(last.terms.length * TERM);
      return last.terms;
    }
    const terms = analyze();
    this.known.set(analyzer, { text, terms });
    return terms;
  }

  /** The automaton of the last pattern: a query may hold it against very many fields. */
  automaton(label: string, make: () => Dfa): Dfa {
    if (this.lastAutomaton?.label !== label) this.lastAutomaton = { label, dfa: make() };
    return this.lastAutomaton.dfa;
  }

  /** A word is tried on a field, which it may not fit. */
  tryField(): void {
    this.growth.characters(FIELD);
  }

  /**
   * Before leaves are made, of which one clause may have a thousand for each field.
   * @throws OperationError 500 `too_many_nested_clauses`
   */
  willMake(leaves: number, { maxClauseCount }: QueryLimits): void {
    this.leaves += leaves;
    if (this.leaves > TIMES_TOO_MANY * (maxClauseCount + 1))
      throw new OperationError(tooManyNested(maxClauseCount));
  }

  /** A plan that stands for what `expand` finds: until then it may match anything. */
  later(boost: number, expand: Expand): Plan {
    const plan: Plan = { kind: "all", boost };
    this.waiting.push({ plan, expand });
    return plan;
  }

  /** Some plans wait for what they stand for. */
  get isUnfinished(): boolean {
    return this.waiting.length > 0;
  }

  /** Each plan becomes what it stands for, in place: what holds it holds that from now on. `check` is called once there may be too many. */
  *expandAll(rest: Rest, maxClauseCount: number, check: () => void): Generator<undefined, void> {
    const { waiting } = this;
    this.waiting = [];
    let made = 0;
    for (const { plan, expand } of waiting) {
      yield* rest();
      const found = yield* expand(rest);
      Object.assign(plan, found);
      made += found.kind === "bool" ? found.should.length : found.kind === "none" ? 0 : 1;
      if (made > maxClauseCount) check();
    }
    check();
  }
}
