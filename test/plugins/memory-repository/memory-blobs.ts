/** Blobs in memory: the places that a node keeps for the cluster, gone when the node ends. Contract: `BlobStores`. */
import { blobError, type BlobStore } from "@orrery/ports";
import { compareText } from "@orrery/stdx";

/** Opens the place of a name, which holds no `/`; the same name is the same place. */
export function createMemoryBlobs(): (place: string) => BlobStore {
  const blobs = new Map<string, Uint8Array>();
  const written = new Set<string>();
  return (place) => {
    const at = (path: string): string => `${place}/${path}`;
    const below = (folder: string): [string, Uint8Array][] => {
      const start = folder === "" ? `${place}/` : `${place}/${folder}/`;
      const inside = [...blobs].filter(([path]) => path.startsWith(start));
      return inside.map(([path, bytes]) => [path.slice(start.length), bytes]);
    };
    return {
      async list(folder) {
        if (folder === "" && !written.has(place)) throw blobError("missing", place);
        return below(folder)
          .filter(([path]) => !path.includes("/"))
          .map(([name, { length }]) => ({ name, sizeBytes: length }))
          .toSorted((a, b) => compareText(a.name, b.name));
      },
      async folders(folder) {
        const names = below(folder).flatMap(([path]) => /^([^/]+)\//.exec(path)?.[1] ?? []);
        return [...new Set(names)].toSorted(compareText);
      },
      async read(path, range) {
        const whole = blobs.get(at(path));
        if (whole === undefined) throw blobError("missing", at(path));
        const { offset, length } = range ?? { offset: 0, length: whole.length };
        if (offset + length > whole.length) throw blobError("io", at(path));
        return whole.slice(offset, offset + length);
      },
      async write(path, bytes, how) {
        if (blobs.has(at(path)) && how?.replace !== true) throw blobError("exists", at(path));
        blobs.set(at(path), bytes.slice());
        written.add(place);
      },
      async remove(paths) {
        for (const path of paths) blobs.delete(at(path));
      },
      async removeFolder(folder) {
        const gone = below(folder);
        for (const [path] of gone) blobs.delete(at(`${folder}/${path}`));
        return { blobs: gone.length, bytes: gone.reduce((sum, [, { length }]) => sum + length, 0) };
      },
    };
  };
}
