/** Simple patterns over names: `*` stands for any text. Source: `Regex.simpleMatch`. */

export function isPattern(text: string): boolean {
  return text.includes("*");
}

export function simpleMatch(pattern: string, name: string): boolean {
  if (!isPattern(pattern)) return pattern === name;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(name);
}
