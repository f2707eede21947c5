/**
 * How much requests hold that have not come whole: counted by the peer they come from, and all together, so that nobody fills this
 * node with what never ends.
 */

/** A request is smaller: a body of a client is 100 MB at most, unless the node was told otherwise. */
export const heldOfPeerMost: number = 256 * 1024 * 1024;
const HELD_MOST = 2 * heldOfPeerMost;
/** Each costs something besides its bytes. */
const REQUESTS_OF_PEER_MOST = 1024;

export interface HeldParts {
  /** What would be held with so much more, when that is too much; undefined when it is taken. */
  take(peer: string, bytes: number, isFirst: boolean): number | undefined;
  /** All of a request that held so much. */
  release(peer: string, bytes: number): void;
}

export function createHeldParts(): HeldParts {
  const peers = new Map<string, { bytes: number; requests: number }>();
  let all = 0;
  return {
    take: (peer, bytes, isFirst) => {
      const held = peers.get(peer) ?? { bytes: 0, requests: 0 };
      const wanted = held.bytes + bytes;
      if (wanted > heldOfPeerMost || all + bytes > HELD_MOST) return wanted;
      if (isFirst && held.requests >= REQUESTS_OF_PEER_MOST) return wanted;
      held.bytes = wanted;
      held.requests += isFirst ? 1 : 0;
      all += bytes;
      peers.set(peer, held);
      return undefined;
    },
    release: (peer, bytes) => {
      const held = peers.get(peer);
      if (held === undefined) return;
      held.bytes -= bytes;
      held.requests -= 1;
      all -= bytes;
      if (held.requests === 0) peers.delete(peer);
    },
  };
}
