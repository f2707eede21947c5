/** A thread that opens a place of a type of its own, and says what it found there. */
import { BlobError, type BlobStore, type WorkerHost } from "@orrery/ports";
import { runInThread } from "../src/thread-host.ts";

const shelf: BlobStore = {
  list: async () => [{ name: "book", sizeBytes: 7 }],
  folders: async () => [],
  read: async (path) => Promise.reject(new BlobError("missing", path, path)),
  write: async () => undefined,
  remove: async () => undefined,
  removeFolder: async () => ({ blobs: 0, bytes: 0 }),
};

function tellBlobs(host: WorkerHost): void {
  host.onMessage((message) => {
    if (message.kind !== "start") return;
    void host.blobs
      .open({ type: "shelf", location: "here" })
      .list("")
      .then((found) => {
        const names = found.map(({ name }) => name);
        const text = [...host.blobs.types, ...names].join(" ");
        host.post({ kind: "log", level: "info", message: text });
      });
  });
}

runInThread(tellBlobs, { blobOpeners: { shelf: () => shelf } });
