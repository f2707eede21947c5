/**
 * Work that the queries of a request cause beyond their own clauses: texts to analyze, terms within
 * an edit distance of others. Costs are summed over the whole request. Near terms are looked up in
 * steps after a query has been built, because a build cannot yield.
 */
import { Growth, QUERY_GROWTH, type Analyzer } from "@orrery/analysis";
import { OperationError } from "@orrery/stdx";
import type { Dfa } from "../automata/dfa.ts";
import type { Plan } from "./plan.ts";
import type { Rest } from "../work/steps.ts";
import { tooManyNested, type QueryLimits } from "./query-limits.ts";

/** A term of an analyzed text with its position. */
export interface PositionedTerm {
  readonly text: string;
  readonly position: number;
}

/** Looks up the terms for which a plan stands, in steps. */
type Expand = (rest: Rest) => Generator<undefined, Plan>;

/**
 * Multiple of the clause limit at which building stops: such a query is rejected in any case, and
 * its leaves would only take memory.
 */
const TIMES_TOO_MANY = 16;

/** Characters as which a known term counts: it becomes part of another plan. */
const TERM = 16;

/**
 * Characters as which a word counts for each field on which it is tried; a quarter of a million of
 * both together are allowed.
 */
const FIELD = 64;

/** The last text of an analyzer and its terms. */
interface AnalyzedText {
  readonly text: string;
  readonly terms: readonly PositionedTerm[];
}

/**
 * Accounts for the work of building plans. One instance serves all queries of a request; `begin`
 * separates them.
 */
export class BuildWork {
  /** Counts the characters that analysis produces, for the whole request. */
  readonly growth: Growth = new Growth(QUERY_GROWTH);
  private leaves = 0;
  private known: Map<Analyzer, AnalyzedText> | undefined;
  private lastAutomaton: { readonly label: string; readonly dfa: Dfa } | undefined;
  private waiting: { readonly plan: Plan; readonly expand: Expand }[] = [];

  /** Starts the next query: leaves and waiting plans are counted anew. */
  begin(): void {
    this.leaves = 0;
    this.waiting = [];
  }

  /**
   * The terms of a text. The last text of each analyzer is remembered, as the fields of a query
   * share few analyzers and one text.
   */
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

  /**
   * The automaton of a pattern. The last one is remembered, as a query may apply one pattern to
   * many fields.
   */
  automaton(label: string, make: () => Dfa): Dfa {
    if (this.lastAutomaton?.label !== label) this.lastAutomaton = { label, dfa: make() };
    return this.lastAutomaton.dfa;
  }

  /** Charges the attempt of a word on a field, whose type it may not fit. */
  tryField(): void {
    this.growth.characters(FIELD);
  }

  /**
   * Counts leaves before they are built: one clause may have a thousand for each field.
   * @throws OperationError 500 `too_many_nested_clauses`
   */
  willMake(leaves: number, { maxClauseCount }: QueryLimits): void {
    this.leaves += leaves;
    if (this.leaves > TIMES_TOO_MANY * (maxClauseCount + 1))
      throw new OperationError(tooManyNested(maxClauseCount));
  }

  /**
   * A plan that stands for the result of `expand`. Until `expandAll` has run it matches every
   * document.
   */
  later(boost: number, expand: Expand): Plan {
    const plan: Plan = { kind: "all", boost };
    this.waiting.push({ plan, expand });
    return plan;
  }

  /** Plans are waiting for `expandAll`. */
  get isUnfinished(): boolean {
    return this.waiting.length > 0;
  }

  /**
   * Replaces the waiting plans in place, so that the plans around them need not be rebuilt. `check`
   * runs when the leaves found may exceed the limit, and at the end.
   */
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
