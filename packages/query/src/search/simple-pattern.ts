/** Patterns with `*` for any text: field names, index names. Source: `Regex.simpleMatch`. */

export function isPattern(text: string): boolean {
  return text.includes("*");
}

export function matchesSimplePattern(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  if (parts.length === 1) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (let i = 1; i < parts.length - 1; i += 1) {
    const part = parts[i] ?? "";
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts.at(-1) ?? "";
  return text.length - at >= last.length && text.endsWith(last);
}
