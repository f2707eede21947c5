/** `npm run mutants -- --systematic`: lists, judges one or some of the systematic mutants, or a sample drawn by a seed. */
import { reachOf } from "./reach.mjs";
import { judge } from "./judge.mjs";
import { systematicMutants } from "./list.mjs";
import { createProgress } from "./progress.mjs";

/** Core-minutes that each mutant may take, as seconds. */
const BUDGET_SECONDS = 600;
/** A bit less than a quarter of an hour: who waits longer than that gives up. */
const WALL_SECONDS = 840;

export async function systematic({ has, valueOf }) {
  const isJson = has("--json");
  const all = await systematicMutants();
  const chosen = choose(all, {
    only: valueOf("--only"),
    sample: valueOf("--sample"),
    seed: valueOf("--seed"),
  });
  if (has("--list")) {
    for (const mutant of chosen) tellMutant(mutant, isJson);
    return;
  }
  if (chosen.length === 0) {
    console.error(`there is no mutant [${valueOf("--only")}]; --list tells them all`);
    process.exitCode = 2;
    return;
  }
  const limits = {
    seconds: Number(valueOf("--seconds") ?? BUDGET_SECONDS),
    wallSeconds: Number(valueOf("--wall-seconds") ?? WALL_SECONDS),
  };
  const withUnits = has("--units");
  const isNeeded = chosen.some(({ equivalent }) => equivalent === undefined);
  const reach = isNeeded ? await reachOf(all) : undefined;
  // The time until here is part of a single one's.
  if (chosen.length === 1) limits.wallSeconds -= process.uptime();
  const results = [];
  const progress = createProgress(chosen.length);
  const waiting = [...chosen];
  const jobs = Array.from({ length: Number(valueOf("--jobs") ?? 1) }, async () => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      progress.show(mutant.name);
      const result = await resultOf(mutant, reach, { ...limits, withUnits });
      results.push(result);
      progress.count(result.found);
      tellResult(result, isJson);
    }
  });
  await Promise.all(jobs);
  if (chosen.length > 1) summarize(results, isJson);
  if (results.some(({ found, equivalent }) => !found && !equivalent)) process.exitCode = 1;
}

/** A sample is drawn from all names, the equivalent ones included. */
function choose(all, { only, sample, seed }) {
  const isMeant = ({ name }) => only === undefined || name === only || name.startsWith(`${only}/`);
  const meant = all.filter(isMeant);
  if (sample === undefined) return meant;
  let state = Number(seed ?? 1) || 1;
  const next = () => ((state = (state * 48271) % 2147483647), state / 2147483647);
  const count = Math.min(meant.length, Number(sample));
  return Array.from({ length: count }, () => meant.splice(Math.floor(next() * meant.length), 1)[0]);
}

async function resultOf(mutant, reach, limits) {
  const { name, equivalent: reason } = mutant;
  if (reason !== undefined)
    return { name, found: false, seconds: 0, equivalent: true, why: reason };
  const { found, seconds, ...more } = await judge(mutant, reach, limits);
  return { name, found, seconds, equivalent: false, ...more };
}

function tellMutant(
  { name, operator, area, file, function: within, line, was, becomes, equivalent },
  isJson,
) {
  if (!isJson) {
    console.log(
      `${name}: ${short(was)} becomes ${short(becomes)}${equivalent ? " (equivalent)" : ""}`,
    );
    return;
  }
  const isEquivalent = equivalent !== undefined;
  console.log(
    JSON.stringify({
      name,
      operator,
      area,
      file,
      function: within,
      line,
      was,
      becomes,
      equivalent: isEquivalent,
    }),
  );
}

function short(text) {
  const line = text.replaceAll(/\s+/g, " ");
  return `[${line.length > 80 ? `${line.slice(0, 77)}...` : line}]`;
}

function tellResult(result, isJson) {
  if (isJson) {
    console.log(JSON.stringify(result));
    return;
  }
  const { name, found, seconds, equivalent, scenario, seed, why, runs } = result;
  if (equivalent) console.log(`${name}: equivalent: ${why}`);
  else if (found)
    console.log(`${name}: found after ${seconds} s by ${scenario}, seed ${seed}: ${why}`);
  else console.log(`${name}: SURVIVES ${seconds} s, ${runs} runs: ${result.class}`);
}

function summarize(results, isJson) {
  const counted = results.filter(({ equivalent }) => !equivalent);
  const found = counted.filter((one) => one.found);
  const times = found.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  const medianSeconds = times[Math.floor(times.length / 2)] ?? 0;
  const coreMinutes = Math.round(results.reduce((sum, { seconds }) => sum + seconds, 0) / 6) / 10;
  const classes = Object.fromEntries(
    ["no judge", "no difference", "unreached"].map((one) => [
      one,
      counted.filter((result) => result.class === one).length,
    ]),
  );
  const equivalent = results.length - counted.length;
  if (isJson) {
    const figures = {
      mutants: results.length,
      equivalent,
      found: found.length,
      medianSeconds,
      coreMinutes,
    };
    console.log(JSON.stringify({ event: "summary", ...figures, classes }));
    return;
  }
  const rest = Object.entries(classes)
    .map(([one, number]) => `${number} ${one}`)
    .join(", ");
  console.log(
    `${found.length} of ${counted.length} found, median ${medianSeconds} s, ${coreMinutes} core-minutes in all; ${rest}; ${equivalent} equivalent`,
  );
}
