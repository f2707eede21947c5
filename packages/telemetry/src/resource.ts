/** The resource of a node's spans and metrics: what `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say, over the node's own names. */
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from "@opentelemetry/resources";

export function resourceOf({
  nodeName,
  clusterName,
}: {
  readonly nodeName: string;
  readonly clusterName: string;
}): Resource {
  const own = resourceFromAttributes({
    "service.name": "orrery",
    "service.namespace": clusterName,
    "service.instance.id": nodeName,
  });
  return own.merge(detectResources({ detectors: [envDetector] }));
}
