/**
 * Limits of memory for requests that have arrived in part: counted for each peer and for all together, so that no
 * peer fills this node with requests that it never completes (`in_flight_requests` circuit breaker).
 */

/**
 * Limit of bytes that a node holds of one peer's incomplete requests: above the size of the largest request, since a
 * client's body has at most 100 MB by default.
 */
export const heldOfPeerMost: number = 256 * 1024 * 1024;
const HELD_MOST = 2 * heldOfPeerMost;
/** Incomplete requests of one peer: each costs memory besides its bytes. */
const REQUESTS_OF_PEER_MOST = 1024;

/** The account of the bytes of incomplete requests, by peer. */
export interface HeldParts {
  /**
   * Reserves bytes for a part, the first one of a request or a later one. `undefined`: the bytes are reserved. A number:
   * they are not, since a limit of bytes or of requests would be exceeded; it is the peer's total with this part.
   */
  reserve(peer: string, bytes: number, isFirst: boolean): number | undefined;
  /** Releases one request with all of its bytes. */
  release(peer: string, bytes: number): void;
}

export function createHeldParts(): HeldParts {
  const peers = new Map<string, { bytes: number; requests: number }>();
  let all = 0;
  return {
    reserve: (peer, bytes, isFirst) => {
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
