/** The level field of a line: in JSON, in logfmt, in a printed object. */
import { type LineLevel, levelOfLetter, levelOfWord } from './level-words.ts';

const keys = '(?:log[._]?)?(?:level|lvl)|level_?name|severity(?:_?text)?|@l|syslog_severity';

/** `"level":"error"`, pino's `"level":50`, MongoDB's `"s":"E"`, zap's `"L":"ERROR"`. */
const inJson = new RegExp(
  `"(?:(?:${keys})"\\s*:\\s*(?:"\\s*(\\w+)|(\\d+)\\b)|s":"([FEWID])\\d?"|l":"([a-z]+)")`,
  'i',
);
/** `level=error`, Heroku's `at=error`; a setting, as in `log level=debug is on`, is a level as well. */
const inPairs = new RegExp(`(?:^|[\\s[{(,|])(?:${keys}|at|loglevel)="?([a-z]+)(?![\\w./:-])`, 'gi');
/** Objects that Node and Python print: `level: 'error'`, `'level': 'error'`. */
const inObject = new RegExp(`[{\\s,]'?(?:${keys})'?: '([a-z]+)'`, 'i');

/** Matches every line that has such a field; few others do. */
const anyField = /level|lvl|sever|"s"|"l"|\bat=|@l/i;

/** Returns the level that a field of the line names. */
export function fieldLevel(head: string): LineLevel | undefined {
  if (!anyField.test(head)) return undefined;
  const [, name, number, initial, short] = inJson.exec(head) ?? [];
  if (initial !== undefined) return levelOfLetter(initial.toUpperCase());
  const value = name ?? number ?? short;
  if (value !== undefined) return levelOfWord(value);
  for (const [, word = ''] of head.matchAll(inPairs)) {
    const level = levelOfWord(word);
    if (level !== undefined) return level;
  }
  const printed = inObject.exec(head)?.[1];
  return printed === undefined ? undefined : levelOfWord(printed);
}
