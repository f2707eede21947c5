/** What the product calls itself, on the wire. */

export const version = "3.8.0";
export const buildHash = "e5a3c5691be87af6c12dbe3e158c59c04ee72973";
export const buildDate = "2026-08-01T18:48:00.452816924Z";
export const buildType = "unknown";
export const luceneVersion = "10.5.0";

/** An RFC 7234 warning, as deprecations are told. */
export function warningHeader(text: string): string {
  return `299 OpenSearch-${version}-${buildHash} "${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
