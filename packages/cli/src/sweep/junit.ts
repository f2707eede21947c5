/**
 * JUnit XML of a sweep: one suite for each scenario, one case for each seed that ran; the number of runs left out is a
 * property of the suite.
 */
import { causeWords } from "./causes.ts";
import type { SweptRun } from "./totals.ts";

/** Report in the JUnit format. `planned` is the number of runs that were planned for a file. */
export function junitOf(
  runs: readonly SweptRun[],
  files: readonly string[],
  planned: (file: string) => number,
): string {
  const byFile = new Map<string, SweptRun[]>(files.map((file) => [file, []]));
  for (const run of runs) byFile.set(run.file, [...(byFile.get(run.file) ?? []), run]);
  const suites = [...byFile].map(([file, cases]) =>
    suiteOf(file, cases, planned(file) - cases.length),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function suiteOf(file: string, runs: readonly SweptRun[], notRun: number): string {
  const failed = runs.filter(({ verdict }) => verdict === "fail").length;
  const errors = runs.filter(({ verdict }) => verdict === "inconclusive").length;
  const seconds = runs.reduce((sum, { wall_ms: wallMs }) => sum + wallMs, 0) / 1000;
  const head = `name="${escape(file)}" tests="${runs.length}" failures="${failed}" errors="${errors}" time="${seconds.toFixed(3)}"`;
  const left =
    notRun === 0 ? "" : `<properties><property name="not_run" value="${notRun}"/></properties>\n`;
  return `<testsuite ${head}>\n${left}${runs.map(caseOf).join("")}</testsuite>\n`;
}

function caseOf(run: SweptRun): string {
  const { file, seed, verdict, why, replay, wall_ms: wallMs, bundle } = run;
  const head = `classname="${escape(file)}" name="seed ${seed}" time="${(wallMs / 1000).toFixed(3)}"`;
  const properties = propertiesOf(run);
  if (verdict === "pass") return `<testcase ${head}>${properties}</testcase>\n`;
  const element = verdict === "fail" ? "failure" : "error";
  const kept = bundle === undefined ? "" : `\nbundle: ${bundle}`;
  const text = escape(`${why}\nreplay: ${replay}${kept}`);
  const inside = `<${element} message="${escape(why)}">${text}</${element}>`;
  return `<testcase ${head}>${properties}${inside}</testcase>\n`;
}

/** Seed, hash, replay line, cause and bundle of a run, for programs that read the report. */
function propertiesOf({ seed, hash, replay, cause, bundle }: SweptRun): string {
  const all: readonly (readonly [string, string | undefined])[] = [
    ["seed", String(seed)],
    ["hash", hash],
    ["replay", replay],
    ["cause", cause && causeWords(cause)],
    ["bundle", bundle],
  ];
  const given = all.flatMap(([name, value]) =>
    value === undefined || value === ""
      ? []
      : [`<property name="${name}" value="${escape(value)}"/>`],
  );
  return `<properties>${given.join("")}</properties>`;
}

function escape(text: string): string {
  const named = text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  // XML cannot represent other control characters, nor the two that are no characters.
  // oxlint-disable-next-line no-control-regex
  return named.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD");
}
