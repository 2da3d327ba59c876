/** Formats texts and names for messages. It loads no YAML parser, which the first frame would wait for. */

const maxLength = 40;

/** Returns a text for a message: shortened, and quoted unless it is a plain word. */
export function formatPlainText(text: string): string {
  return /^[\w.+-]+$/.test(text) ? shorten(text) : quoteName(text);
}

/** Returns a name for a message: shortened and quoted. */
export function quoteName(text: string): string {
  return `"${shorten(text)}"`;
}

function shorten(text: string): string {
  const line = text.slice(0, maxLength + 1).replaceAll(/\s/g, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}
