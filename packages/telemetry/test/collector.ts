/** A collector of OTLP over HTTP as JSON, in this process. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CollectedSpan {
  /** `service.instance.id` of its resource. */
  readonly node: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code?: number; readonly message?: string };
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Names of metrics, as often as they came. */
  readonly metrics: readonly string[];
  /** Paths and content types of the requests. */
  readonly requests: readonly string[];
  /** Status of its answers; 200 at first. */
  status: number;
  close(): Promise<void>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

type RawSpan = Omit<CollectedSpan, "attributes" | "node"> & {
  readonly attributes: readonly Attribute[];
};

export interface OtlpRequest {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly { readonly name: string }[] }[];
  }[];
}

/** `answering`: what each answer waits for. */
export async function startCollector(
  answering: Promise<void> = Promise.resolve(),
): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const metrics: string[] = [];
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      requests.push(`${request.url} ${request.headers["content-type"]}`);
      const body = Buffer.concat(pieces).toString();
      if (body.startsWith("{")) {
        const json = JSON.parse(body) as OtlpRequest;
        spans.push(...spansIn(json));
        metrics.push(...metricsIn(json));
      }
      void answering.then(() => response.writeHead(collector.status).end("{}"));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const collector: Collector = {
    ...{ spans, metrics, requests, status: 200 },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return collector;
}

export function spansIn({ resourceSpans = [] }: OtlpRequest): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        node: String(valuesOf(resource.attributes)["service.instance.id"]),
        attributes: valuesOf(span.attributes),
      })),
  );
}

function metricsIn({ resourceMetrics = [] }: OtlpRequest): readonly string[] {
  return resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name)),
  );
}

function valuesOf(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
