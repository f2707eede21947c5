/**
 * The `rescore` section: rescorers with their windows, applied in turn to the best documents of a
 * shard. Source: `RescorerBuilder`, `RescorePhase`.
 */
import { intOf, members, parsingError } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Prepared } from "../language/query.ts";
import type { Rescorer } from "../language/rescorer.ts";
import type { TopDoc } from "../language/results.ts";

/** A rescorer with its window. */
export interface Rescore {
  /** Number of documents that are rescored. */
  readonly windowSize: number;
  readonly rescorer: Rescorer;
}

/**
 * Parses one rescorer with its window.
 * @throws BodyError or OperationError 400
 */
export function parseRescore(at: Cursor): Rescore {
  let windowSize = 10;
  let rescorer: Rescorer | undefined;
  for (const [name, member] of members(at)) {
    const parse = at.language.rescorers.get(name);
    if (name === "window_size") windowSize = intOf(member);
    else if (parse !== undefined) rescorer = parse(member);
    else throw parsingError(member, `rescore doesn't support [${name}]`);
  }
  if (rescorer === undefined) throw parsingError(at, "missing rescore type", "end");
  return { windowSize, rescorer };
}

/**
 * Rescores the documents, best first. Documents behind a window stay behind it, whatever their
 * scores.
 */
export function rescoreDocs(
  docs: readonly TopDoc[],
  rescores: readonly Rescore[],
  prepared: Prepared,
): TopDoc[] {
  return rescores.reduce<TopDoc[]>(
    (current, { windowSize, rescorer }) => [
      ...rescorer.rescore(current.slice(0, windowSize), prepared),
      ...behind(current.slice(windowSize), rescorer),
    ],
    [...docs],
  );
}

function behind(docs: readonly TopDoc[], { scoreBehind }: Rescorer): readonly TopDoc[] {
  if (scoreBehind === undefined) return docs;
  return docs.map((doc) => ({ ...doc, score: scoreBehind(doc.score) }));
}
