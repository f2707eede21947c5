/**
 * Requests that came by one connection, served one after the other: each when the answer before it has been taken, so that who
 * sends thousands without waiting has one of them under way, like everybody else.
 *
 * Beyond so many that wait the connection is not read any more. Answers come in the order of the requests anyway.
 */
import type { Socket } from "node:net";

const MOST_WAITING = 16;
/** Reading goes on when no more than so many wait. */
const FEW_WAITING = 4;

interface Line {
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

const lineKey: unique symbol = Symbol("requests that wait");

type WithLine = Socket & { [lineKey]?: Line };

/** Begins now, or when all that came before by this connection are over. Each that begins says when it is: `leaveLine`. */
export function enterLine(socket: WithLine, begin: () => void): void {
  const line = (socket[lineKey] ??= { isBusy: false, isPaused: false, waiting: [] });
  if (!line.isBusy) {
    line.isBusy = true;
    begin();
    return;
  }
  line.waiting.push(begin);
  if (line.isPaused || line.waiting.length < MOST_WAITING) return;
  line.isPaused = true;
  socket.pause();
}

export function leaveLine(socket: WithLine): void {
  const line = socket[lineKey];
  if (line === undefined) return;
  // Nobody is there any more to be answered.
  if (socket.destroyed) line.waiting.length = 0;
  const next = line.waiting.shift();
  if (line.isPaused && line.waiting.length <= FEW_WAITING) {
    line.isPaused = false;
    socket.resume();
  }
  if (next === undefined) line.isBusy = false;
  else next();
}
