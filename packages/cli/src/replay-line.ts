/** Command that replays a run, quoted for a shell. */

/** Scenario file and seed that identify a run. */
export interface RunOfFile {
  readonly file: string;
  readonly seed: number;
  /** Name of the world (`WorldName`); default: the simulation. */
  readonly world?: string;
}

export function replayLine({ file, seed, world = "sim" }: RunOfFile): string {
  return `npx orrery run ${quoted(file)} --seed ${seed}${world === "sim" ? "" : ` --world ${world}`}`;
}

/** Word quoted for a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
