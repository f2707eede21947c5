/** Judgement whether all arrangements of nodes answer the requests of a case equally. */
import { pattern } from "../words.ts";
import type { Finding, Outcome } from "../target.ts";
import { alone, simulated, withSimulated } from "./arrangements.ts";
import { firstDifference } from "./compare.ts";
import type { MetamorphicCase } from "./generate.ts";
import { play } from "./play.ts";
import type { ProcessCluster } from "./processes.ts";
import { describeAsked, type Answer } from "./request.ts";

/** Compares one node with each of the other arrangements, in the simulation. */
export async function judgeCase({ requests }: MetamorphicCase, seed: number): Promise<Outcome> {
  const answersOf = (arrangement: typeof alone): Promise<readonly Answer[]> =>
    withSimulated(arrangement, seed, (cluster) => play(cluster, requests));
  const expected = await answersOf(alone);
  for (const arrangement of simulated) {
    const answers = await answersOf(arrangement);
    const finding = differenceOf({ requests }, expected, answers);
    if (finding === undefined) continue;
    return { finding: { ...finding, detail: `${arrangement.name}: ${finding.detail}` } };
  }
  return {};
}

/** Compares one node in the simulation with a cluster in real time. */
export async function judgeInProcesses(
  { requests }: MetamorphicCase,
  seed: number,
  processes: ProcessCluster,
): Promise<Outcome> {
  const expected = await withSimulated(alone, seed, (cluster) => play(cluster, requests));
  await processes.clear();
  const finding = differenceOf({ requests }, expected, await play(processes, requests));
  return finding === undefined ? {} : { finding };
}

function differenceOf(
  { requests }: MetamorphicCase,
  expected: readonly Answer[],
  answers: readonly Answer[],
): Finding | undefined {
  for (const [i, asked] of requests.entries()) {
    const [one, other] = [expected[i], answers[i]];
    const found = one && other && firstDifference(one, other, asked.loose);
    if (found === undefined) continue;
    const { where } = found;
    return {
      cause: `unlike: ${asked.kind}: ${pattern(where)}`,
      detail: `request ${i + 1}, ${describeAsked(asked)}, at [${where}]: ${found.other.slice(0, 400)}, one node: ${found.one.slice(0, 400)}`,
    };
  }
  return undefined;
}
