import { withoutColours } from './colour-codes.ts';

/** How bad a line is, as far as its text tells. */
export type Level = 'error' | 'warn';

/** Words stand near the start; a record may name its level behind its message. */
const wordsWithin = 160;
const recordWithin = 2000;

/** Most lines have none of these, and nothing more is looked at. */
const sieve =
  /err|fat|panic|crit|sever|emerg|alert|fail|warn|wrn|ftl|exce|traceb|level|lvl|"s":|"[A-Z]{3,7} |\b[A-Z]{3,7} \S+ 5\d\d/i;

const errorWords =
  'error|err|erro|eror|fatal|fata|ftl|panic|pani|critical|crit|severe|emergency|emerg|alert';
const warnWords = 'warning|warn|wrn';
const calmWords = 'trace|trac|debug|debu|dbg|info|inf|notice|verbose';

const variants = (words: string): string =>
  words
    .split('|')
    .flatMap((word) => [word.toUpperCase(), word, `${word[0]?.toUpperCase()}${word.slice(1)}`])
    .join('|');

const anyWord = `${errorWords}|${warnWords}|${calmWords}`;
const isError = new RegExp(`^(?:${errorWords})$`, 'i');
const isWarning = new RegExp(`^(?:${warnWords})$`, 'i');
const isCalm = new RegExp(`^(?:${calmWords})$`, 'i');

const keys = '(?:log[._]?)?(?:level|lvl)|level_?name|severity(?:_?text)?|@l';
const inJson = new RegExp(
  `"(?:(?:${keys})"\\s*:\\s*(?:"\\s*(\\w+)|(\\d+)\\b)|s":"([FEWID])")`,
  'i',
);
const inPairs = new RegExp(`(?:^|\\s)(?:${keys})="?(\\w+)`, 'i');
const syslog = /^<(\d{1,3})>/;
/** `E0102 15:04:05.678 file.go:12] text`, and Ruby's `E, [2026-01-02T15:04:05`. */
const letter = /^([EFWID])(?:\d{4} \d\d:|, \[\d)/;
/** In brackets or between tabs in any case, elsewhere in capitals, and not as part of a name. */
const word = new RegExp(
  `[[:\\t](${variants(anyWord)})[\\]\\t]|(?<![\\w/.=-])(${anyWord.toUpperCase()})(?![\\w/=-]|\\.\\w)`,
);
const leadingTime = /^[[(]?\d[\d\-/:.,TZ+]*[\])]?(?: \d[\d:.,Z+]*[\])]?)?[ |]+/;
const firstWord = new RegExp(
  `^(?:npm |php )?(${errorWords}|${warnWords}|fail(?=:))\\b(?=[ :!]|$)`,
  'i',
);
const nothing = String.raw`\s*(?:(?:nil|none|null|false|undefined|0)\b|"")`;
const announcesNothing = new RegExp(`^\\w+\\s?:${nothing}|^\\w+ (?:count|rate)\\b`, 'i');
const announced = new RegExp(
  `(?:^|[\\s:;(])(?<!\\bno )(?:(error|fatal|panic|critical)|warning|warn)\\s?:(?!:|/|${nothing})`,
  'i',
);
/** `TypeError: x`, `Caused by: java.io.IOException`, `app.py:3: DeprecationWarning: x`. */
const thrown =
  /^(?:Uncaught |Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)(?=:|$| \[)|^Traceback \(most|^Exception in thread|^fatal error/;
const pythonWarning = /: [A-Z]\w*Warning: /;
/** The status of a request: what failed is the server. */
const served = /"[A-Z]{3,7} [^"]* HTTP\/[\d.]+" 5\d\d\b|^[A-Z]{3,7} \/\S* 5\d\d\b/;

/**
 * The level that a line seems to have; undefined when it shows none. A level that the line names
 * counts before any word of its message.
 */
export function levelOf(text: string): Level | undefined {
  const isRecord = text.charCodeAt(0) === 0x7b;
  const head = withoutColours(text.slice(0, isRecord ? recordWithin : wordsWithin));
  const letterLevel = letter.exec(head)?.[1];
  if (letterLevel !== undefined) return levelOfLetter(letterLevel);
  const priority = syslog.exec(head)?.[1];
  // Programs that know no priorities are given a calm one, whatever their lines say.
  if (priority !== undefined && Number(priority) % 8 < 5)
    return levelOfNumber(Number(priority) % 8);
  if (!sieve.test(head)) return undefined;
  const named = levelInRecord(head);
  if (named !== undefined) return named === 'calm' ? undefined : named;
  return isRecord ? undefined : levelInWords(head, text);
}

function levelInRecord(head: string): Level | 'calm' | undefined {
  const [, name, number, initial] = inJson.exec(head) ?? [];
  if (initial !== undefined) return levelOfLetter(initial) ?? 'calm';
  if (number !== undefined) return levelOfNumber(Number(number)) ?? 'calm';
  const value = name ?? inPairs.exec(head)?.[1];
  return value === undefined ? undefined : levelOfWord(value);
}

function levelInWords(head: string, text: string): Level | undefined {
  const found = word.exec(head);
  const named = found === null ? undefined : levelOfWord(found[1] ?? found[2] ?? '');
  if (named !== undefined) return named === 'calm' ? undefined : named;
  const rest = head.replace(leadingTime, '');
  const first = firstWord.exec(rest)?.[1];
  if (first !== undefined && !announcesNothing.test(rest)) {
    return isWarning.test(first) ? 'warn' : 'error';
  }
  const said = announced.exec(rest);
  if (said !== null) return said[1] === undefined ? 'warn' : 'error';
  if (thrown.test(rest)) return 'error';
  if (pythonWarning.test(rest)) return 'warn';
  return served.test(head.length < wordsWithin ? rest : text.slice(0, recordWithin))
    ? 'error'
    : undefined;
}

function levelOfWord(name: string): Level | 'calm' | undefined {
  if (isError.test(name)) return 'error';
  if (isWarning.test(name)) return 'warn';
  return isCalm.test(name) ? 'calm' : undefined;
}

function levelOfLetter(initial: string): Level | undefined {
  if (initial === 'W') return 'warn';
  return initial === 'E' || initial === 'F' ? 'error' : undefined;
}

/** Numbers below ten are syslog's, which falls; those from ten on pino's and bunyan's, which rise. */
function levelOfNumber(level: number): Level | undefined {
  if (level === 4 || (level >= 40 && level < 50)) return 'warn';
  return level < 4 || level >= 50 ? 'error' : undefined;
}
