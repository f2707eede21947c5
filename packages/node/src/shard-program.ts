/**
 * The program of shard workers, compared with the node's product before the node listens: threads load a module of their own, and one that
 * lacks a plugin would show what the plugin hides.
 */
import { partsOf, type ShardProduct } from "@orrery/shard-worker";
import type { Host } from "@orrery/ports";
import { formatDuration, OperationError } from "@orrery/stdx";

/** A worker tells its parts as soon as its modules are loaded. */
const PATIENCE_MS = 60_000;

/** Rejects with `OperationError` when a worker has other parts than the product, or does not tell them. */
export async function checkShardProgram(host: Host, shards: ShardProduct): Promise<void> {
  const wanted = partsOf(shards, host.blobs);
  // The core's parts are in every program.
  if (wanted.length === 0) return;
  const told = await partsOfWorker(host);
  const missing = [
    ...sentence("shard workers", without(wanted, told)),
    ...sentence("the node", without(told, wanted)),
  ];
  if (missing.length > 0)
    throw refused(`shard workers run other plugins than the node: ${missing.join("; ")}`);
}

/** Of a worker that is started to be asked, and ended. */
async function partsOfWorker({ workers, clock }: Host): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel();
      channel.terminate();
    };
    const channel = workers.start(1, {
      onMessage: (message) => {
        if (message.kind !== "parts") return;
        end();
        resolve(message.parts);
      },
      onExit: (reason) => {
        end();
        reject(refused(`shard workers did not tell which plugins they run: ${reason}`));
      },
    });
    const cancel = clock.setTimer(PATIENCE_MS, () => {
      end();
      const waited = formatDuration(PATIENCE_MS);
      reject(refused(`shard workers did not tell which plugins they run within [${waited}]`));
    });
    channel.post({ kind: "tell-parts" });
  });
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((part) => !others.includes(part));
}

/** A plugin that is missing is named without its members. */
function sentence(place: string, parts: readonly string[]): readonly string[] {
  const named = parts.filter(
    (part) => !parts.some((other) => other !== part && part.endsWith(` of ${other}`)),
  );
  if (named.length === 0) return [];
  return [`${place} ${place === "the node" ? "lacks" : "lack"} ${named.join(", ")}`];
}

function refused(reason: string): OperationError {
  return new OperationError({ type: "illegal_state_exception", reason, status: 500 });
}
