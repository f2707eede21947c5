/** What the command tells: lines for people, or one JSON object a line. */
import type { LoopEvent, Totals } from "./loop.ts";

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
    summary: (target, seed, { cases, findings, seconds, sessions }) =>
      line({ event: "summary", target, cases, findings, seed, sessions, seconds }),
  };
}

function textPrinter(write: (line: string) => void): Printer {
  const counts = ({ cases, findings, seconds }: Totals): string =>
    `${cases} cases, ${findings} findings, ${seconds} s`;
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
