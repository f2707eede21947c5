/** A short stack for tests: what overflows the stack of one program with a list overflows it with a shorter list. */

/** So many arguments fit into a call, whatever the thread. Lists of more show that none is spread. */
export const ROOM = 50_000;

/** Runs where the stack is full but for that room: arguments of the call around it lie there. */
export function onShortStack<T>(run: () => T): T {
  const hold = (held: () => T): T => held();
  return hold(run, ...(filling as []));
}

/** To a thousand. */
function mostArguments(): number {
  let fits = 0;
  let overflows = 2 ** 21;
  while (overflows - fits > 1000) {
    const count = (fits + overflows) >> 1;
    if (doFit(count)) fits = count;
    else overflows = count;
  }
  return fits;
}

function doFit(count: number): boolean {
  try {
    (() => undefined)(...(listOf(count) as []));
    return true;
  } catch {
    return false;
  }
}

function listOf(length: number): undefined[] {
  return Array.from({ length });
}

const filling = listOf(Math.max(0, mostArguments() - ROOM));
