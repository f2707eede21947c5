/** Runs that once found something wrong in the cluster pass: each is a scenario and a seed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseScenario, runScenario } from "@orrery/scenario";
import { expect, test } from "vitest";

const found: readonly { readonly scenario: string; readonly seed: number; readonly was: string }[] =
  [
    {
      scenario: "failover/contested-elections",
      seed: 7,
      was: "what nodes have on disk was forgotten while a state was proposed, and no primary came back",
    },
    {
      scenario: "failover/slow-replicas",
      seed: 86,
      was: "two copies caught up while neither moved the global checkpoint, and their recovery never ended",
    },
    {
      scenario: "failover/slow-replicas",
      seed: 982,
      was: "a copy whose recovery was cut short took writes that it had had alone for the history of all",
    },
    {
      scenario: "failover/history-left-behind",
      seed: 1,
      was: "the same, and acknowledged writes were lost",
    },
    {
      scenario: "network/role-handed-over-unheard",
      seed: 1,
      was: "a primary whose heir failed was given another at once, and refused to serve it for ever",
    },
    {
      scenario: "snapshot-status/answers-lost",
      seed: 1,
      was: "a snapshot waited for ever for an answer that was lost, and all that came after it",
    },
    {
      scenario: "snapshot-status/restored-in-two-attempts",
      seed: 1,
      was: "a file that a failed attempt of a restore had written was never synced",
    },
    {
      scenario: "failover/two-primaries-fall",
      seed: 1,
      was: "a copy taken back in a new term was promoted without acknowledged operations",
    },
  ];

test.each(found)("$scenario, seed $seed: $was", async ({ scenario, seed }) => {
  const file = `scenarios/${scenario}.yaml`;
  const plan = parseScenario(file, readFileSync(join(import.meta.dirname, "..", file), "utf8"));

  const { failure, verdict } = await runScenario(plan, seed);

  expect(failure).toBeUndefined();
  expect(verdict).toBe("pass");
});
