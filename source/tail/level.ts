import { stripColourCodes } from './colour-codes.ts';

/** The severity of a line, as far as its text shows it. */
export type LogLevel = 'error' | 'warn';

/** Characters searched for level words, and, in a JSON record, for its level field. */
const wordsLength = 160;
const recordLength = 2000;

/** Prefilter: most lines contain none of these and need no further test. */
const prefilter =
  /err|fat|panic|crit|sever|emerg|alert|fail|warn|wrn|ftl|exce|traceb|level|lvl|exited|killed|again|"s":|"[A-Z]{3,7} |\b[A-Z]{3,7} \S+ 5\d\d/i;

const errorWords =
  'error|err|erro|eror|fatal|fata|ftl|panic|pani|critical|crit|severe|emergency|emerg|alert';
const warnWords = 'warning|warn|wrn';
const calmWords = 'trace|trac|debug|debu|dbg|info|inf|notice|verbose';

const caseVariants = (words: string): string =>
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
/** A level word in brackets or between tabs, or else in capitals and not within a name. */
const word = new RegExp(
  `[[:\\t](${caseVariants(anyWord)})[\\]\\t]|(?<![\\w/.=-])(${anyWord.toUpperCase()})(?![\\w/=-]|\\.\\w)`,
);
const leadingTime = /^[[(]?\d[\d\-/:.,TZ+]*[\])]?(?: \d[\d:.,Z+]*[\])]?)?[ |]+/;
const firstWord = new RegExp(
  `^(?:npm |php )?(${errorWords}|${warnWords}|fail(?=:))\\b(?=[ :!]|$)`,
  'i',
);
const emptyValue = String.raw`\s*(?:(?:nil|none|null|false|undefined|0)\b|"")`;
const announcesEmptyValue = new RegExp(`^\\w+\\s?:${emptyValue}|^\\w+ (?:count|rate)\\b`, 'i');
const announced = new RegExp(
  `(?:^|[\\s:;(])(?<!\\bno )(?:(error|fatal|panic|critical)|warning|warn)\\s?:(?!:|/|${emptyValue})`,
  'i',
);
/** `TypeError: x`, `Caused by: java.io.IOException`, `app.py:3: DeprecationWarning: x`. */
const thrown =
  /^(?:Uncaught |Caused by: )?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)(?=:|$| \[)|^Traceback \(most|^Exception in thread|^fatal error/;
/** The end of a process as our host writes it; a stop ends with 0 or SIGTERM. */
const failedExit = /^(?:exited [1-9]|killed by (?!SIGTERM|SIGINT|SIGHUP))/;
const restartAfterExit = /^starts again in \d/;
const pythonWarning = /: [A-Z]\w*Warning: /;
/** The 5xx status of a request in an access log. */
const serverError = /"[A-Z]{3,7} [^"]* HTTP\/[\d.]+" 5\d\d\b|^[A-Z]{3,7} \/\S* 5\d\d\b/;

/**
 * Returns the level of a line; undefined when it shows none. A level field or marker takes
 * precedence over the words of the message.
 */
export function levelOf(text: string): LogLevel | undefined {
  const isRecord = text.charCodeAt(0) === 0x7b;
  const head = stripColourCodes(text.slice(0, isRecord ? recordLength : wordsLength));
  const letterLevel = letter.exec(head)?.[1];
  if (letterLevel !== undefined) return levelOfLetter(letterLevel);
  const priority = syslog.exec(head)?.[1];
  // A calm priority says nothing: syslog assigns one to programs that set none.
  if (priority !== undefined && Number(priority) % 8 < 5)
    return levelOfNumber(Number(priority) % 8);
  if (!prefilter.test(head)) return undefined;
  const namedLevel = levelInRecord(head);
  if (namedLevel !== undefined) return namedLevel === 'calm' ? undefined : namedLevel;
  return isRecord ? undefined : levelInWords(head, text);
}

function levelInRecord(head: string): LogLevel | 'calm' | undefined {
  const [, name, number, initial] = inJson.exec(head) ?? [];
  if (initial !== undefined) return levelOfLetter(initial) ?? 'calm';
  if (number !== undefined) return levelOfNumber(Number(number)) ?? 'calm';
  const value = name ?? inPairs.exec(head)?.[1];
  return value === undefined ? undefined : levelOfWord(value);
}

function levelInWords(head: string, text: string): LogLevel | undefined {
  const levelWord = word.exec(head);
  const namedLevel =
    levelWord === null ? undefined : levelOfWord(levelWord[1] ?? levelWord[2] ?? '');
  if (namedLevel !== undefined) return namedLevel === 'calm' ? undefined : namedLevel;
  const rest = head.replace(leadingTime, '');
  const first = firstWord.exec(rest)?.[1];
  if (first !== undefined && !announcesEmptyValue.test(rest)) {
    return isWarning.test(first) ? 'warn' : 'error';
  }
  const announcement = announced.exec(rest);
  if (announcement !== null) return announcement[1] === undefined ? 'warn' : 'error';
  if (thrown.test(rest) || failedExit.test(rest)) return 'error';
  if (restartAfterExit.test(rest)) return 'warn';
  if (pythonWarning.test(rest)) return 'warn';
  return serverError.test(head.length < wordsLength ? rest : text.slice(0, recordLength))
    ? 'error'
    : undefined;
}

function levelOfWord(name: string): LogLevel | 'calm' | undefined {
  if (isError.test(name)) return 'error';
  if (isWarning.test(name)) return 'warn';
  return isCalm.test(name) ? 'calm' : undefined;
}

function levelOfLetter(initial: string): LogLevel | undefined {
  if (initial === 'W') return 'warn';
  return initial === 'E' || initial === 'F' ? 'error' : undefined;
}

/**
 * Numbers below 10 are syslog priorities, lower being worse; higher ones are pino's and bunyan's.
 */
function levelOfNumber(level: number): LogLevel | undefined {
  if (level === 4 || (level >= 40 && level < 50)) return 'warn';
  return level < 4 || level >= 50 ? 'error' : undefined;
}

/** A line for debugging, or the successful request of a health check. */
const routine =
  /\b(?:DEBUG|TRACE)\b|"level":\s*(?:"(?:debug|trace)"|[12]0\b)|\blevel=(?:debug|trace)\b|\/(?:health\w*|livez|readyz|ready|live|ping)\/?[?\s"].*?\b2\d\d\b/i;

/** Returns whether a line is one of many that say that nothing happened. */
export function isRoutine(text: string): boolean {
  return routine.test(text.length > wordsLength ? text.slice(0, wordsLength) : text);
}
