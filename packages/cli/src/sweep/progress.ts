/** Progress bar, drawn only if standard error is a terminal. */

export interface Progress {
  update(done: number, failed: number): void;
  /** Writes a line above the bar. */
  say(line: string): void;
  end(): void;
}

const WIDTH = 30;
const EVERY_MS = 100;

export function createProgress(total: number): Progress {
  const { stderr } = process;
  const isShown = stderr.isTTY;
  const startedAt = performance.now();
  let drawnAt = 0;
  let bar = "";
  const clear = (): void => {
    if (isShown && bar !== "") stderr.write("\r\u001B[K");
  };
  const draw = (): void => {
    if (isShown) stderr.write(bar);
  };
  return {
    update: (done, failed) => {
      const now = performance.now();
      if (!isShown || (now - drawnAt < EVERY_MS && done < total)) return;
      drawnAt = now;
      const seconds = (now - startedAt) / 1000;
      clear();
      bar = barOf({ done, failed, total, seconds }, stderr.columns);
      draw();
    },
    say: (line) => {
      clear();
      stderr.write(`${line}\n`);
      draw();
    },
    end: clear,
  };
}

interface Figures {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
  readonly seconds: number;
}

/** Bar in one row of the terminal: a longer text would wrap, and remain when the bar is redrawn. */
export function barOf({ done, failed, total, seconds }: Figures, columns = 80): string {
  const rate = done / Math.max(seconds, 0.001);
  const left = rate === 0 ? "" : `, ${Math.ceil((total - done) / rate)} s left`;
  const text = ` ${done}/${total}, ${failed} not passed, ${rate.toFixed(1)} runs/s${left}`;
  // A character in the last column makes some terminals wrap.
  const width = Math.max(0, Math.min(WIDTH, columns - 1 - "[]".length - text.length));
  const filled = total === 0 ? width : Math.floor((done / total) * width);
  const bar = width === 0 ? "" : `[${"#".repeat(filled)}${".".repeat(width - filled)}]`;
  return `${bar}${text}`.trimStart().slice(0, columns - 1);
}
