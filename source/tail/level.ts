import { stripSilentCodes } from './silent-codes.ts';
import { fieldLevel } from './levels/level-fields.ts';
import { markedLevel, priorityLevel } from './levels/level-marks.ts';
import { phraseLevel } from './levels/level-phrases.ts';
import {
  bracketedWords,
  calmWords,
  type LineLevel,
  levelOfWord,
  levelWords,
} from './levels/level-words.ts';

/** The severity of a line that asks for attention. */
export type LogLevel = 'error' | 'warn';

/** Characters searched for level words, and, in a JSON record, for its level field. */
const wordsLength = 160;
const recordLength = 2000;

/** Matches every line with a warning or an error; most others need no further test. */
const prefilter =
  /err|eror|fat|panic|crit|sever|emerg|alert|fail|warn|wrn|ftl|exce|traceb|level|lvl|exited|kill|again|core d|crash|corrupt|abort|at=|segm|segf|smash|sig[sabi]|sqlst|terminate|unhandled|"s":|"l":|"[A-Z]{3,7} |\b[A-Z]{3,7} \S+ 5\d\d/i;

const caseVariants = (words: string): string =>
  words
    .split('|')
    .flatMap((word) => [word.toUpperCase(), word, `${word[0]?.toUpperCase()}${word.slice(1)}`])
    .join('|');

/**
 * A level word in brackets, between bars or tabs, or else in capitals and not within a name. Monolog
 * and Laravel write it behind the channel: `[time] production.ERROR: text`.
 */
const word = new RegExp(
  `[[:|\\t] *(${caseVariants(bracketedWords)}) *[\\]|\\t]` +
    `|(?=[A-Z])(?<![\\w/.=-])(?<!\\b(?:NO|no|0) )(${levelWords.toUpperCase()})(?![\\w/=-]|\\.\\w)` +
    `|\\] [\\w-]+\\.(${levelWords.toUpperCase()}): ` +
    `| <(Fatal|Critical|Alert|Error|Warning|Notice|Information|Info|Debug|Trace)>(?=[ :])` +
    // PostgreSQL writes what is no error as LOG.
    `|(?<= )(LOG):  `,
);
const leadingTime = /^[[(]?\d[\d\-/:.,TZ+]*[\])]?(?: \d[\d:.,Z+]*[\])]?)?[ |]+/;
/** The name that docker compose and pm2 write before a line: `web_1  | text`. */
const leadingName = /^[\w.-]{1,40}(?: +\||\|[\w.-]{1,40} +\|) /;
/** `info: text` and `log: text`, or, behind a time, `Info     text`. */
const calmFirst = new RegExp(`^(${calmWords}|log)(?=:(?!:)|\\[|\\s{2,}|\\t)`, 'i');
const calmBehindTime = new RegExp(`^(${calmWords})(?= )`, 'i');

/** Returns the level of a line; undefined where it names none and its words show none. */
export function lineLevel(text: string): LineLevel | undefined {
  const head = headOf(text);
  return markedLevel(head) ?? levelInText(head, text);
}

/**
 * Returns whether a line is a warning or an error; undefined for all others. A field or mark of the
 * level takes precedence over the words of the message.
 */
export function levelOf(text: string): LogLevel | undefined {
  const head = headOf(text);
  const mark = markedLevel(head);
  if (mark !== undefined) return troubleOf(mark);
  // The priority is the only mark with no letter in it.
  if (!prefilter.test(head) && !head.startsWith('<')) return undefined;
  return troubleOf(levelInText(head, text));
}

function troubleOf(level: LineLevel | undefined): LogLevel | undefined {
  if (level === 'fatal') return 'error';
  return level === 'error' || level === 'warn' ? level : undefined;
}

function headOf(text: string): string {
  const head = stripSilentCodes(text.slice(0, wordsLength));
  return isRecord(head) ? stripSilentCodes(text.slice(0, recordLength)) : head;
}

function isRecord(text: string): boolean {
  return text.charCodeAt(0) === 0x7b;
}

function levelInText(head: string, text: string): LineLevel | undefined {
  const priority = priorityLevel(head);
  // A calm priority says little: syslog assigns one to programs that set none.
  const isCalm = priority === 'info' || priority === 'debug';
  if (priority !== undefined && !isCalm) return priority;
  const field = fieldLevel(head);
  if (field !== undefined) return field;
  return (isRecord(head) ? undefined : levelInWords(head, text)) ?? priority;
}

function levelInWords(head: string, text: string): LineLevel | undefined {
  const [, bracketed, capitals, channel, angled, log] = word.exec(head) ?? [];
  const named = bracketed ?? capitals ?? channel ?? angled ?? log;
  if (named !== undefined) return levelOfWord(named);
  const unnamed = head.replace(leadingName, '');
  const rest = unnamed.replace(leadingTime, '');
  const calm = calmFirst.exec(rest) ?? (rest === unnamed ? undefined : calmBehindTime.exec(rest));
  if (calm?.[1] !== undefined) return levelOfWord(calm[1]);
  return phraseLevel(rest, head.length < wordsLength ? rest : text.slice(0, recordLength));
}

/** A line for debugging, or the successful request of a health check. */
const routine =
  /\b(?:DEBUG|TRACE)\b|"level":\s*(?:"(?:debug|trace)"|[12]0\b)|\blevel=(?:debug|trace)\b|\/(?:health\w*|livez|readyz|ready|live|ping)\/?[?\s"].*?\b2\d\d\b/i;

/** Returns whether a line is one of many that say that nothing happened. */
export function isRoutine(text: string): boolean {
  return routine.test(text.length > wordsLength ? text.slice(0, wordsLength) : text);
}
