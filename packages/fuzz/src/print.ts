/** Output of the command: lines of text, or one JSON object per line. */
import type { LoopEvent, Totals } from "./loop.ts";
import { megabytes } from "./memory.ts";
import type { Measured } from "./target.ts";

export interface Printer {
  started(target: string, seed: number): void;
  event(target: string, event: LoopEvent): void;
  summary(target: string, seed: number, totals: Totals): void;
}

export function createPrinter(isJson: boolean, write: (line: string) => void): Printer {
  return isJson ? jsonPrinter(write) : textPrinter(write);
}

function jsonPrinter(write: (line: string) => void): Printer {
  const line = (fields: object): void => write(JSON.stringify(fields));
  return {
    started: (target, seed) => line({ event: "started", target, seed }),
    event: (target, event) => {
      if (event.kind === "progress") line({ event: "progress", target, ...event.totals });
      else line({ event: "finding", target, ...event.finding });
    },
    summary: (target, seed, { cases, findings, seconds, sessions, measured }) =>
      line({
        ...{ event: "summary", target, cases, findings, seed, sessions, seconds },
        ...(measured === undefined ? {} : measuredFields(measured)),
      }),
  };
}

/** Resident memory in megabytes, and the slowest health response. */
function measuredFields({ memory, slowestHealthMs }: Measured): object {
  return {
    memory: {
      beforeMb: megabytes(memory.beforeBytes),
      afterMb: megabytes(memory.afterBytes),
      ratio: Math.round((memory.afterBytes / memory.beforeBytes) * 100) / 100,
    },
    slowestHealthMs: Math.round(slowestHealthMs),
  };
}

function wordsOf({ memory, slowestHealthMs }: Measured): string {
  const [before, after] = [memory.beforeBytes, memory.afterBytes].map(megabytes);
  return `, memory ${before} MB before and ${after} MB after, slowest health ${Math.round(slowestHealthMs)} ms`;
}

function textPrinter(write: (line: string) => void): Printer {
  const counts = ({ cases, findings, seconds, measured }: Totals): string =>
    `${cases} cases, ${findings} findings, ${seconds} s${measured === undefined ? "" : wordsOf(measured)}`;
  return {
    started: (target, seed) => write(`${target}: seed ${seed}`),
    event: (target, event) => {
      if (event.kind === "progress") {
        write(`${target}: ${counts(event.totals)}`);
        return;
      }
      const { cause, detail, about, replay, isReproduced } = event.finding;
      write(`FINDING ${cause}`);
      write(`  ${about}`);
      write(`  ${detail}`);
      if (!isReproduced)
        write("  a new session did not show it again: all cases of the session follow");
      write(`  ${replay}`);
    },
    summary: (target, seed, totals) => write(`${target}: seed ${seed}: ${counts(totals)}`),
  };
}
