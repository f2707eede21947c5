/** A blob store behind the transport: each operation is a request to the node that has the blobs. */
import { BlobError, type BlobErrorKind, type BlobStore, type Handler } from "@orrery/ports";
import { concatBytes, emptyBytes, utf8Decode, utf8Encode } from "@orrery/stdx";

interface Request {
  readonly place: string;
  readonly operation: keyof BlobStore;
  /** Without the bytes of a write, which follow. */
  readonly parameters: readonly unknown[];
}

interface Failure {
  readonly kind: BlobErrorKind;
  readonly path: string;
  readonly message: string;
}

/** Followed by the bytes of a read. */
type Response = { readonly value?: unknown } | Failure;

/** `send` takes a request to the node that has the place. */
export function remoteStore(
  place: string,
  send: (payload: Uint8Array) => Promise<Uint8Array>,
): BlobStore {
  const ask = async (operation: keyof BlobStore, parameters: unknown[], sent = emptyBytes) => {
    const request: Request = { place, operation, parameters };
    const [head, bytes] = decode(await send(encode(request, sent)));
    const response = head as Response;
    if ("kind" in response) throw new BlobError(response.kind, response.path, response.message);
    return { value: response.value as never, bytes };
  };
  return {
    list: async (folder) => (await ask("list", [folder])).value,
    folders: async (folder) => (await ask("folders", [folder])).value,
    read: async (path, range) => (await ask("read", [path, range])).bytes,
    write: async (path, bytes, how) => void (await ask("write", [path, how], bytes)),
    remove: async (paths) => void (await ask("remove", [paths])),
    removeFolder: async (folder) => (await ask("removeFolder", [folder])).value,
  };
}

/** Answers the requests of `remoteStore`. */
export function serveStores(open: (place: string) => BlobStore): Handler {
  return async (payload) => {
    const [head, sent] = decode(payload);
    const { place, operation, parameters } = head as Request;
    const [first, second] = parameters as [never, never];
    const store = open(place);
    try {
      if (operation === "read") return encode({}, await store.read(first, second ?? undefined));
      if (operation === "write") return encode({ value: await store.write(first, sent, second) });
      return encode({ value: await store[operation](first) });
    } catch (error) {
      if (!(error instanceof BlobError)) throw error;
      const { kind, path, message } = error;
      return encode({ kind, path, message } satisfies Failure);
    }
  };
}

/** JSON, a zero byte, and bytes as they are. */
function encode(head: Request | Response, bytes = emptyBytes): Uint8Array {
  return concatBytes([utf8Encode(JSON.stringify(head)), Uint8Array.of(0), bytes]);
}

function decode(payload: Uint8Array): readonly [unknown, Uint8Array] {
  const end = payload.indexOf(0);
  return [JSON.parse(utf8Decode(payload.subarray(0, end))), payload.subarray(end + 1)];
}
