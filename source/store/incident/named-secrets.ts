/** Expressions for settings whose names say that they are secret: in environments, YAML, JSON, logfmt, queries. */

const keyKinds =
  'api|access|private|signing|encryption|encrypt|master|auth|account|shared|storage|service|secret|' +
  'client|licen[cs]e|deploy|session|consumer|app|admin|ssh|webhook';

const nameEnds = [
  'pass(?:words?|wd|w|phrase|code)|passwort|kennwort|contrase[nñ]a|senha|pwd',
  String.raw`(?:[_-]|(?<![a-z]))(?:(?:db|user|my)?pass|pw|t?otp)`,
  String.raw`secrets?|(?:secret[_.-]?)?(?:${keyKinds})[ _.-]?key(?:[_.-]?base)?`,
  'token|shared[_-]?access[_-]?signature|jsessionid|phpsessid',
  'credentials?|creds|mnemonic|seed[_-]?phrase',
].join('|');

/** The end of a secret's name, such as `DB_PASSWORD`, `apiKey` or `refresh_token`; for the flag `i`. */
export const secretName = String.raw`(?:${nameEnds})(?:[_-]?(?:value|text|hash|raw|base64|b64|old|new|prod|\d{1,3}))?`;

const wholeName = new RegExp(`${secretName}$`, 'i');

/** Returns whether the value of a setting or field with this name is a secret. */
export function isSecretName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= 200 && wholeName.test(name);
}

const placeholder = new RegExp(
  `^(?:${[
    String.raw`|[*.xX•#_-]+|<[^>]*>?|\$\{[\s\S]*|\$[A-Za-z_]\w*|\{\{[\s\S]*|%\w?|\d{1,3}|[a-z]+\{[0-9a-f]{5,8}`,
    String.raw`\*{0,64}(?:[[<(]{0,2}(?:redacted|hidden|masked|filtered|removed|secret)(?:[ :_-][a-z]+){0,6}(?: \d{1,9} \*{4,32})?[\])>]?){1,2}`,
    'null|nil|none|undefined|true|false|yes|no|on|off|unset|empty|missing|required|invalid|expired|ok',
    String.raw`(?:process\.env|os\.environ|import\.meta\.env|System\.getenv|ENV\[)[\s\S]*`,
  ].join('|')})$`,
  'i',
);

/** Returns whether a value stands where a secret would, and says that there is none, or was none left. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value);
}

/** A quote, escaped as often as the JSON around it is, or for HTML. */
export const quote = String.raw`(?:\\{0,4}["'\x60]|&(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);)`;
const colour = String.raw`(?:\u001b\[[0-9;]{0,20}m)?`;
const sign = String.raw`[ \t]{0,8}(?<sign>=>|:=|={1,2}|:|%3[ad]|\\u003[ad])[ \t]{0,8}`;

/** name="x", name: x, "name": "x", \"name\": \"x\", ['name'] => x, name 'x', --name x */
const oneField = String.raw`${secretName}(?:\[\d{1,3}\])?${colour}(?:${quote}?\]?${colour}${sign}|[ \t]{1,8}(?=["'])|(?<=--[\w-]{1,60})[ \t]{1,8}(?=[^\s-]))${colour}`;
/** name: DB_PASSWORD, value: x */
const twoFields = String.raw`\b(?:name|key)${quote}?[ \t]{0,8}[:=][ \t]{0,8}${quote}?[\w.-]{0,100}?${secretName}${quote}?[ \t]{0,8},?\s{0,200}${quote}?value${quote}?${sign}`;

/** A scheme before the secret, and a redaction directly before the rest of one: `***x`, `[REDACTED]x`. */
const ahead = String.raw`(?:(?:basic|bearer|token|digest|apikey)[ \t]{1,8}(?=\S))?(?:(?:\*{3,64}|[[<(](?:redacted|hidden|masked|filtered|removed|\*{3,64})[^\s\])>]{0,40}[\])>])(?=[\w+/=$!%-]{4}))?`;
/** A list in JSON, and a text in quotes, up to its end or that of the line. */
const enclosed = String.raw`\[\s{0,8}(?=\\{0,4}["'])(?<secret>[^\]\n]{1,4096})|(?<open>${quote})(?<secret>(?:(?!(?<!\\)\k<open>)[\s\S]){1,8192}(?=\k<open>)|[^\n]+)`;
/** A value without quotes in a line. `&`, `,` and `;` end it only where something else follows. */
const bare = String.raw`(?<bare>)(?<secret>(?:&(?![\w.%-]{1,60}=)|[,;](?![\s"'\x60}\]]|$|[\w.-]{1,60}[=:])|[^\s&,;"'\x60\\<>\u001b]|\\(?!["']))+)`;
/** A block in YAML, the texts of a list, and the rest of a line up to a comment or another name. */
const block = String.raw`[|>][+-]?\d?[ \t]*(?:#.*)?\r?\n(?<indent>[ \t]+)(?<secret>\S.*(?:\n(?:\k<indent>.*|[ \t]*(?=\n)))*)`;
const items = String.raw`(?:#.*)?(?<secret>(?:\r?\n[ \t]*-[ \t]+[^\s:#][^\n:]*(?=\r?\n|$))+)`;
const rest = String.raw`(?<rest>)(?<secret>(?:(?!\s#|(?<=\S)[ \t][\w.-]{1,60}=)[^\n])+)`;

function named(values: string): readonly RegExp[] {
  return [oneField, twoFields].map((name) => new RegExp(`${name}${ahead}(?:${values})`, 'gi'));
}

/** Expressions for a name with its value in a line, and in a document such as a configuration file. */
export const namedInLine = named(`${enclosed}|${bare}`);
export const namedInDocument = named(`${enclosed}|${block}|${items}|${rest}`);

/** Returns the value of a name without what follows it; empty where a sentence goes on in its place. */
export function trimmedValue(value: string, match: RegExpExecArray): string {
  const { 0: text, index, input, groups = {} } = match;
  if (groups['rest'] !== undefined) return withoutEnd(value, ' \t\r,;');
  if (groups['bare'] === undefined) return value;
  const whole = withoutEnd(value, ')]}.,:');
  if (/^pass\b/i.test(text) && /^\d+$/.test(whole)) return '';
  const isWord = !/=|3d/i.test(groups['sign'] ?? '') && /^[A-Z]?[a-z]+$/.test(whole);
  const end = index + text.length - value.length + whole.length;
  const isSentence = /^[.,:]?[ \t]+(?![\w.-]{1,60}[=:])[A-Za-z(]/.test(input.slice(end, end + 80));
  return isWord && isSentence ? '' : whole;
}

/** Returns a text without the characters of `ends` at its end. */
function withoutEnd(text: string, ends: string): string {
  let length = text.length;
  while (length > 0 && ends.includes(text.charAt(length - 1))) length -= 1;
  return text.slice(0, length);
}
