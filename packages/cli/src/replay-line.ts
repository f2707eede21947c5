/** The line that makes a run again, for whoever copies it into a shell. */

export interface RunOfFile {
  readonly file: string;
  readonly seed: number;
  /** A `WorldName`; the simulation when it is not said. */
  readonly world?: string;
}

export function replayLine({ file, seed, world = "sim" }: RunOfFile): string {
  return `npx orrery run ${quoted(file)} --seed ${seed}${world === "sim" ? "" : ` --world ${world}`}`;
}

/** As one word of a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
