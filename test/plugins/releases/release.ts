/** A release number as twelve bytes, major, minor and patch, so that byte order is the order of releases. */
import { illegalArgument } from "@orrery/stdx";

const BYTES = 12;

/** Throws for what is no `major.minor.patch`. */
export function encodeRelease(release: string): Uint8Array {
  const parts = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(release)?.slice(1);
  if (parts === undefined) throw illegalArgument(`[${release}] is no release number`);
  return bytesOf(parts.map(Number));
}

export function decodeRelease(term: Uint8Array): string {
  const view = new DataView(term.buffer, term.byteOffset, BYTES);
  return [0, 4, 8].map((at) => view.getUint32(at)).join(".");
}

/** The first release that is not compatible any more: the next major one. */
export function nextMajor(term: Uint8Array): Uint8Array {
  return bytesOf([new DataView(term.buffer, term.byteOffset).getUint32(0) + 1, 0, 0]);
}

function bytesOf(parts: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, part] of parts.entries()) view.setUint32(i * 4, part);
  return bytes;
}
