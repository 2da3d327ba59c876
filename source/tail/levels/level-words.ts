/** The words, letters and numbers by which formats name a level. */

/** The severity that a line names or shows. */
export type LineLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug';

/** From the worst to the least. */
export const lineLevels: readonly LineLevel[] = ['fatal', 'error', 'warn', 'info', 'debug'];

/** Words of one level, also as loggers cut them to three or four letters. */
const words: Readonly<Record<LineLevel, string>> = {
  fatal: 'fatal|fata|ftl|panic|pani|critical|crit|emergency|emerg|alert',
  error: 'error|err|erro|eror|severe',
  warn: 'warning|warn|wrn',
  info: 'information|info|inf|notice|noti',
  debug: 'debug|debu|dbug|dbg|trace|trac|trce|trc|verbose|vrb',
};

/** Words of a level in a field or in brackets only: elsewhere they say something else. */
const fieldWords: Readonly<Partial<Record<LineLevel, string>>> = {
  fatal: 'dpanic',
  error: 'failure|fail',
  info: 'informational|note|system|log|default',
  debug: 'fine|finer|finest|silly',
};

export const levelWords = Object.values(words).join('|');
export const calmWords = [words.info, words.debug].join('|');
export const bracketedWords = [levelWords, ...Object.values(fieldWords)].join('|');

const levelByWord: ReadonlyMap<string, LineLevel> = new Map(
  lineLevels.flatMap((level) =>
    `${words[level]}|${fieldWords[level] ?? words[level]}`
      .split('|')
      .map((word) => [word, level] as const),
  ),
);

/** Returns the level of a word in any case, or of the digits that stand for it. */
export function levelOfWord(word: string): LineLevel | undefined {
  if (/^\d+$/.test(word)) return levelOfNumber(Number(word));
  return levelByWord.get(word.toLowerCase());
}

const levelByLetter: Readonly<Record<string, LineLevel>> = {
  F: 'fatal',
  A: 'fatal',
  C: 'fatal',
  E: 'error',
  W: 'warn',
  I: 'info',
  D: 'debug',
  V: 'debug',
};

/** Returns the level of an initial: of glog, of logcat, of Ruby, of MongoDB. */
export function levelOfLetter(letter: string): LineLevel | undefined {
  return levelByLetter[letter];
}

/** By the severity of syslog, from 0, an emergency, to 7, for debugging. */
const levelBySeverity: readonly LineLevel[] = [
  'fatal',
  'fatal',
  'fatal',
  'error',
  'warn',
  'info',
  'info',
  'debug',
];

/**
 * Returns the level of a number. Below 10 it is a severity of syslog, the lower the worse; higher ones
 * are those of pino and bunyan.
 */
function levelOfNumber(level: number): LineLevel {
  if (level < 10) return levelBySeverity[level] ?? 'debug';
  if (level >= 60) return 'fatal';
  if (level >= 50) return 'error';
  if (level >= 40) return 'warn';
  return level >= 30 ? 'info' : 'debug';
}

/** Returns the level of a syslog priority, which is eight times the facility and the severity. */
export function levelOfPriority(priority: number): LineLevel {
  return levelOfNumber(priority % 8);
}
