/** Finds the values of settings whose names say that they are secret: in environments, YAML, JSON, logfmt, queries. */
import { secretNameEnd } from './secret-names.ts';

/** The syntax of a text: a line of a log, or a document such as a configuration file. */
export type TextForm = 'line' | 'document';

export interface NamedSecret {
  readonly start: number;
  readonly end: number;
}

const colour = String.raw`(?:\u001b\[[0-9;]{0,20}m)?`;
/** A quote escaped for HTML. */
const entity = String.raw`&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);`;
const assignment = new RegExp(
  // name="x", name: x, "name": "x", \"name\": \"x\", ['name'] => x, --name x, <name>x, name 'x'
  String.raw`(?:${secretNameEnd})(?:\[\d{1,3}\])?${colour}(?:(?:\\{0,4}["'\x60]|${entity})?\]?${colour}[ \t]{0,8}(?:=>|:=|={1,2}|:|%3[ad]|\\u003[ad])[ \t]{0,8}|[ \t]{1,8}(?=["'])|>(?=[^<]{1,4096}<\/)|&gt;(?=[^&]{1,4096}&lt;\/)|(?<=--[\w-]{1,60})[ \t]{1,8}(?=[^\s-]))${colour}`,
  'gi',
);

/** A name and its value in two fields: `name: DB_PASSWORD`, `value: x`. */
const namedField = new RegExp(
  String.raw`\b(?:name|key)(?:\\{0,4}["'])?[ \t]{0,8}[:=][ \t]{0,8}(?:\\{0,4}["'])?[\w.-]{0,100}?${secretNameEnd}(?:\\{0,4}["'])?[ \t]{0,8},?\s{0,200}(?:\\{0,4}["'])?value(?:\\{0,4}["'])?[ \t]{0,8}[:=][ \t]{0,8}`,
  'gi',
);

const scheme = /(?:basic|bearer|token|digest|apikey)[ \t]{1,8}(?=\S)/iy;
const quoted = new RegExp(String.raw`\\{0,4}["'\x60]|${entity}`, 'y');
/** A redaction that stands directly before the rest of a value: `***x`, `[REDACTED]x`. */
const redacted =
  /(?:\*{3,64}|[[<(](?:redacted|hidden|masked|filtered|removed|\*{3,64})[^\s\])>]{0,40}[\])>])(?=[\w+/=$!%-]{4})/iy;
/** A list of quoted texts in JSON, up to its end, and a text in it. */
const jsonList = /\[\s{0,8}(?=\\{0,4}["'])[^\]\n]{1,4096}/y;
const listedText = /(?<quote>\\{0,4}["'])(?<value>[^"'\\\n]{1,1024})\k<quote>/g;
/** A list of plain texts in YAML, and a text in it. */
const yamlList = /[ \t]*(?:#[^\n]*)?(?:\r?\n[ \t]*-[ \t]+[^\s:#][^\n:]*(?=\r?\n|$))+/y;
const listedItem = /\n[ \t]*-[ \t]+["']?(?<value>[^\n"']{1,1024}?)["']?[ \t]*(?=\r?\n|$)/g;
/** A value without quotes in a line. `&`, `,` and `;` end it only where something else follows. */
const lineValue = new RegExp(
  String.raw`(?:&(?![\w.%-]{1,60}=)|[,;](?![\s"'\x60}\]]|$|[\w.-]{1,60}[=:])|[^\s&,;"'\x60\\<>\u001b]|\\(?!["']))+`,
  'y',
);
const blockScalar = /[|>][+-]?\d?[ \t]*(?:#.*)?(?=\r?\n)/y;

/** Words that stand where a secret would, and say that there is none. */
const placeholder =
  /^(?:[*.xX•#_-]+|<[^>]*>?|\$\{?[A-Za-z_][\s\S]*|\{\{[\s\S]*|%\w?|\*{0,64}(?:[[<(]?(?:redacted|hidden|masked|filtered|removed|secret)(?:[ :_-][a-z]+){0,6}(?: \d{1,9} \*{4,32})?[\])>]?){1,2}|null|nil|none|undefined|true|false|yes|no|on|off|unset|empty|missing|required|invalid|expired|ok|\d{1,3}|(?:process\.env|os\.environ|import\.meta\.env|System\.getenv|ENV\[)[\s\S]*|[a-z]+\{[0-9a-f]{5,8})$/i;

/** Characters of a value in which no other name is looked for. */
const longValue = 512;

/** Returns the places of secrets that are values of names in a text. */
export function findNamedSecrets(text: string, form: TextForm): readonly NamedSecret[] {
  const found: NamedSecret[] = [];
  for (const pattern of [assignment, namedField]) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const values = readValues(text, pattern.lastIndex, match, form);
      const [start, end] = [values[0]?.start, values.at(-1)?.end];
      if (start === undefined || end === undefined) continue;
      // A value may hold another one; not so a long value, because a line of names would take forever.
      pattern.lastIndex = end - start > longValue ? end : start;
      found.push(
        ...values.filter((value) => !placeholder.test(text.slice(value.start, value.end))),
      );
    }
  }
  return found;
}

/** Returns the values of a name: one, or those of a list. */
function readValues(
  text: string,
  from: number,
  match: RegExpMatchArray,
  form: TextForm,
): readonly NamedSecret[] {
  const list = matchAt(jsonList, text, from);
  if (list !== null) return listedValues(list[0], from, listedText);
  const value = readValue(text, from, match, form);
  if (value !== undefined) return [value];
  const items = form === 'document' ? matchAt(yamlList, text, from) : null;
  return items === null ? [] : listedValues(items[0], from, listedItem);
}

function readValue(
  text: string,
  from: number,
  match: RegExpMatchArray,
  form: TextForm,
): NamedSecret | undefined {
  const valueAt = from + (matchAt(scheme, text, from)?.[0].length ?? 0);
  const start = valueAt + (matchAt(redacted, text, valueAt)?.[0].length ?? 0);
  const quote = matchAt(quoted, text, start)?.[0];
  if (quote !== undefined) return quotedValue(text, start + quote.length, quote);
  const bracket = /(?<!=)(?:>|&gt;)$/.exec(match[0])?.[0];
  if (bracket !== undefined) {
    return { start, end: text.indexOf(bracket === '>' ? '<' : '&lt;', start) };
  }
  if (form === 'document' && !match[0].startsWith('--')) {
    const block = matchAt(blockScalar, text, start);
    return block === null
      ? restOfLine(text, start)
      : indentedBlock(text, match.index ?? 0, start + block[0].length);
  }
  const whole = matchAt(lineValue, text, start)?.[0] ?? '';
  // In an encoded query, another pair follows behind an encoded ampersand.
  const pair = /%3d$/i.test(match[0]) ? whole.search(/%26/) : -1;
  const value = withoutEnd(pair < 0 ? whole : whole.slice(0, pair), ')]}.,:');
  if (value === '') return undefined;
  const end = start + value.length;
  const isAssigned = /(?:=|=>|3d)[ \t]*$/i.test(match[0]);
  const isNumber = /^pass\b/i.test(match[0]) && /^\d+$/.test(value);
  return isNumber || (!isAssigned && isProse(text, value, end)) ? undefined : { start, end };
}

/** Returns whether a word goes on as a sentence: `token: unexpected end of input`. */
function isProse(text: string, value: string, end: number): boolean {
  if (!/^[A-Z]?[a-z]+$/.test(value)) return false;
  return /^[.,:]?[ \t]+(?![\w.-]{1,60}[=:])[A-Za-z(]/.test(text.slice(end, end + 80));
}

/** Returns the values of a list whose text begins at `from`. */
function listedValues(list: string, from: number, item: RegExp): readonly NamedSecret[] {
  return Array.from(list.matchAll(item), ({ index, 0: whole, groups }) => {
    const value = groups?.['value'] ?? '';
    const start = from + index + whole.lastIndexOf(value);
    return { start, end: start + value.length };
  });
}

function quotedValue(text: string, start: number, quote: string): NamedSecret | undefined {
  if (quote.startsWith('&')) {
    const end = text.indexOf(quote, start);
    return found(start, end < 0 ? lineEnd(text, start) : end);
  }
  const backslashes = quote.length - 1;
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    let before = 0;
    while (text[at - 1 - before] === '\\') before += 1;
    if (backslashes > 0 ? before === 0 : before % 2 === 0) return found(start, at);
  }
  return found(start, lineEnd(text, start));
}

function found(start: number, end: number): NamedSecret | undefined {
  return end > start ? { start, end } : undefined;
}

/** Returns the rest of a line without a comment and without the comma or semicolon at its end. */
function restOfLine(text: string, start: number): NamedSecret | undefined {
  const line = text.slice(start, lineEnd(text, start));
  const comment = line.search(/\s#|(?<=\S)[ \t][\w.-]{1,60}=/);
  const value = withoutEnd(comment < 0 ? line : line.slice(0, comment), ' \t\r,;');
  return found(start, start + value.length);
}

/** Returns the lines of a YAML block that are indented deeper than the line of its name. */
function indentedBlock(text: string, nameAt: number, from: number): NamedSecret | undefined {
  const lineStart = text.lastIndexOf('\n', nameAt) + 1;
  const indent = /^[ \t-]*/.exec(text.slice(lineStart, nameAt + 1))?.[0].length ?? 0;
  let end = from;
  for (let at = text.indexOf('\n', from); at >= 0 && at < text.length; ) {
    const next = lineEnd(text, at + 1);
    const line = text.slice(at + 1, next);
    const depth = line.length - line.trimStart().length;
    if (line.trim() !== '' && depth <= indent) break;
    end = next;
    if (next >= text.length) break;
    at = next;
  }
  const block = text.slice(from, end);
  const start = from + (block.length - block.trimStart().length);
  return found(start, from + block.trimEnd().length);
}

/** Returns a text without the characters of `ends` at its end. */
function withoutEnd(text: string, ends: string): string {
  let length = text.length;
  while (length > 0 && ends.includes(text.charAt(length - 1))) length -= 1;
  return text.slice(0, length);
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
