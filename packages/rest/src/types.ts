/** Input and output of `dispatch`: request and response as data, independent of any HTTP server. */

/** An HTTP request as data. */
export interface RestRequest {
  readonly method: string;
  /** Path and query string exactly as in the request line. */
  readonly uri: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Registers a function to be called when the client disconnects. */
  readonly onClose?: (cancel: () => void) => void;
  /**
   * Counts bytes of the response until they are sent. Throws 429 `circuit_breaking_exception` when all responses of
   * the node exceed their limit.
   */
  readonly hold?: (bytes: number) => void;
}

/** An HTTP response as data. */
export interface RestResponse {
  readonly status: number;
  /** Names in lower case, except `X-OpenSearch-Version`, `X-Opaque-Id`, `Allow`, `Location` and `Warning`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Pieces in order; empty for HEAD, whose `content-length` is that of the GET response. */
  readonly body: readonly Uint8Array[];
}
