/** Whether all arrangements of nodes answer the requests of a case in the same way. */
import { pattern } from "../words.ts";
import type { Finding, Outcome } from "../target.ts";
import { arrangements, play } from "./arrangements.ts";
import { firstDifference } from "./compare.ts";
import type { MetamorphicCase } from "./generate.ts";
import { describeAsked, type Answer } from "./request.ts";

export async function judgeCase({ requests }: MetamorphicCase, seed: number): Promise<Outcome> {
  const [alone, ...others] = arrangements;
  const expected = await play(alone, requests, seed);
  for (const arrangement of others) {
    const answers = await play(arrangement, requests, seed);
    const finding = differenceOf({ requests }, expected, answers);
    if (finding === undefined) continue;
    return { finding: { ...finding, detail: `${arrangement.name}: ${finding.detail}` } };
  }
  return {};
}

function differenceOf(
  { requests }: MetamorphicCase,
  expected: readonly Answer[],
  answers: readonly Answer[],
): Finding | undefined {
  for (const [i, asked] of requests.entries()) {
    const [one, other] = [expected[i], answers[i]];
    const found = one && other && firstDifference(one, other);
    if (found === undefined) continue;
    const { where } = found;
    return {
      cause: `unlike: ${asked.kind}: ${pattern(where)}`,
      detail: `request ${i + 1}, ${describeAsked(asked)}, at [${where}]: ${found.other.slice(0, 400)}, one node: ${found.one.slice(0, 400)}`,
    };
  }
  return undefined;
}
