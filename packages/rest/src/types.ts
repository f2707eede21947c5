/** What enters and leaves `dispatch`: a request and a response as data, without any HTTP server. */

export interface RestRequest {
  readonly method: string;
  /** Path and query exactly as in the request line. */
  readonly uri: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Told what to call when the client is gone. */
  readonly onClose?: (cancel: () => void) => void;
  /** Takes bytes that the answer is made of, until it is with the client. Throws 429 `circuit_breaking_exception` when all answers take too many. */
  readonly hold?: (bytes: number) => void;
}

export interface RestResponse {
  readonly status: number;
  /** Names in lower case but for `X-OpenSearch-Version`, `X-Opaque-Id`, `Allow`, `Location` and `Warning`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** In order; empty for HEAD, whose `content-length` is that of the answer to GET. */
  readonly body: readonly Uint8Array[];
}
