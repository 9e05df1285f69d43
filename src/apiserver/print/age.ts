/** How long ago something was, as people say it: `45s`, `3m5s`, `2d`. */
export function printAge(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return both(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return both(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return both(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 2920 ? both(years, "y", days % 365, "d") : `${years}y`;
}

/** The age of a time as the API writes it. */
export function printTimestamp(text: unknown, now: number): string {
  if (typeof text !== "string" || text === "") return "<unknown>";
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? "<invalid>" : printAge(now - instant);
}

function both(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
