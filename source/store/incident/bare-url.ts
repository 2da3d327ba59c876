/** Returns a URL without its user, password, query and fragment; empty for a text that is no URL. */
export function bareUrl(text: string): string {
  if (!URL.canParse(text)) return '';
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
