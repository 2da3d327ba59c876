/** An instant in full, of the world and of this machine's clock; undefined where none can be read. */
export function instantTexts(
  timestamp: string,
): { readonly utc: string; readonly local: string } | undefined {
  const at = Date.parse(timestamp);
  if (Number.isNaN(at)) return undefined;
  const date = new Date(at);
  const offset = -date.getTimezoneOffset();
  const local = new Date(at + offset * 60_000).toISOString().slice(0, -1).replace('T', ' ');
  return { utc: date.toISOString(), local: `${local} ${offsetText(offset)}` };
}

/** `+05:30`, of minutes. */
function offsetText(minutes: number): string {
  const away = Math.abs(minutes);
  const parts = [Math.floor(away / 60), away % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${parts.join(':')}`;
}
