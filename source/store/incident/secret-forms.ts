/** The forms in which a secret may stand elsewhere. */
import { decodedPair, decodedText } from './find-secrets.ts';
import { shortestValue } from './known-values.ts';

/** Passwords of examples, which are ordinary words of logs too. They are masked only behind their names. */
const ordinary = new Set(
  'postgres password passwd changeme default example secret localhost production development staging testing mongodb mysql mariadb rabbitmq redis guest admin administrator bearer basic public private string number boolean object'.split(
    ' ',
  ),
);

/** Returns whether a secret is masked wherever it stands, rather than only where a rule finds it. */
export function isSearched(value: string): boolean {
  if (value.length < shortestValue || ordinary.has(value.toLowerCase())) return false;
  return !/^\d{1,7}$/.test(value);
}

/** Returns a secret as it stands in other encodings: percent-encoded, escaped for JSON or HTML, in base64. */
export function formsOf(value: string): readonly string[] {
  if (value.length > 4096) return [value];
  const unescaped = unescapedText(value);
  const decoded = decodedPair(value) ?? decodedText(value) ?? percentDecoded(value);
  const plain = [value, ...(unescaped === undefined ? [] : [unescaped])];
  const others = decoded === undefined || !isSearched(decoded) ? [] : [decoded];
  const all = [...plain, ...others];
  const encoded = all.flatMap((one) => [
    encodeURIComponent(one.toWellFormed()),
    JSON.stringify(one).slice(1, -1),
    escapedForHtml(one),
    ...(one.length < 8 ? [] : [Buffer.from(one).toString('base64').replace(/=+$/, '')]),
  ]);
  return [...new Set([...all, ...encoded])];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapedForHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

function unescapedText(value: string): string | undefined {
  if (!value.includes('\\')) return undefined;
  try {
    const text: unknown = JSON.parse(`"${value}"`);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

function percentDecoded(value: string): string | undefined {
  if (!/%[0-9a-f]{2}/i.test(value)) return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
