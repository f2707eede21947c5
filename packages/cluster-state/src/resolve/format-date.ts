/** Formatting with Java date patterns in index names: `yyyy.MM.dd`, `YYYY-ww`, `yyyy-MM-dd-HH`, quoted text. */
import { illegalArgument } from "@orrery/stdx";
import { civilDate, DAY_MS, dayOfWeek, daysOf, weekOf } from "./civil-date.ts";

/** The formatted text. `ms` is local time: the caller has added the zone's offset. Throws for unknown letters. */
export function formatDate(ms: number, pattern: string): string {
  let text = "";
  for (let at = 0; at < pattern.length;) {
    const char = pattern.charAt(at);
    if (char === "'") {
      const end = pattern.indexOf("'", at + 1);
      if (end < 0) throw invalid(pattern);
      text += end === at + 1 ? "'" : pattern.slice(at + 1, end);
      at = end + 1;
    } else if (/[A-Za-z]/.test(char)) {
      let end = at;
      while (pattern.charAt(end) === char) end += 1;
      text += formatField(ms, char, end - at, pattern);
      at = end;
    } else {
      text += char;
      at += 1;
    }
  }
  return text;
}

function formatField(ms: number, letter: string, width: number, pattern: string): string {
  const days = Math.floor(ms / DAY_MS);
  const inDay = ms - days * DAY_MS;
  const { year, month, day } = civilDate(days);
  const hour = Math.floor(inDay / 3_600_000);
  switch (letter) {
    case "y":
    case "u":
      return yearText(year, width);
    case "Y":
    case "x":
      return yearText(weekOf(days).weekYear, width);
    case "M":
    case "L":
      return padded(month, width);
    case "d":
      return padded(day, width);
    case "D":
      return padded(days - daysOf({ year, month: 1, day: 1 }) + 1, width);
    case "w":
      return padded(weekOf(days).week, width);
    case "e":
      return padded(dayOfWeek(days), width);
    case "H":
      return padded(hour, width);
    case "k":
      return padded(hour === 0 ? 24 : hour, width);
    case "h":
      return padded(hour % 12 === 0 ? 12 : hour % 12, width);
    case "m":
      return padded(Math.floor(inDay / 60_000) % 60, width);
    case "s":
      return padded(Math.floor(inDay / 1000) % 60, width);
    case "S":
      return String(inDay % 1000)
        .padStart(3, "0")
        .padEnd(width, "0")
        .slice(0, width);
    default:
      throw invalid(pattern);
  }
}

function yearText(year: number, width: number): string {
  return width === 2 ? padded(((year % 100) + 100) % 100, 2) : padded(year, width);
}

function padded(value: number, width: number): string {
  return String(value).padStart(width, "0");
}

function invalid(pattern: string): Error {
  return illegalArgument(`Invalid format: [${pattern}]`);
}
