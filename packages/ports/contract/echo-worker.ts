/**
 * The shard worker program of the contract. It sends each frame back; a frame that starts with 255 makes it fail, one
 * that starts with 254 is written to its disk and read again, one that starts with 253 is answered by a timer.
 */
import type { WorkerHost } from "../src/index.ts";

export function echoWorker(host: WorkerHost): void {
  host.onMessage((message) => {
    if (message.kind === "stop") host.post({ kind: "stopped" });
    if (message.kind === "start")
      host.post({ kind: "log", level: "info", message: message.settings });
    if (message.kind !== "frame") return;
    const { connection, frame } = message;
    if (frame[0] === 255) throw new Error("told to fail");
    if (frame[0] === 254) {
      host.disk.write("echo", frame);
      host.post({ kind: "frame", connection, frame: host.disk.read("echo").slice() });
    } else if (frame[0] === 253) {
      host.clock.setTimer(1, () => host.post({ kind: "frame", connection, frame }));
    } else {
      host.post({ kind: "frame", connection, frame });
    }
  });
}
