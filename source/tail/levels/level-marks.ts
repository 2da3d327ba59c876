/** Marks of a level that a format writes at its own place: letters, numbers and signs. */
import { type LineLevel, levelOfLetter, levelOfPriority } from './level-words.ts';

/** Formats whose first group is the initial of a level, for lines that begin with a letter. */
const behindNothing: readonly RegExp[] = [
  // glog and klog: E0102 15:04:05.678 file.go:12] text. CockroachDB has the year before.
  /^([FEWID])(?:\d{4}|\d{6}) \d\d:/,
  // Ruby: E, [2026-01-02T15:04:05.
  /^([FEWIDA]), \[\d/,
  // logcat, brief: E/Tag( 1702): text.
  /^([FEWIDVA])\/[^\s(:][^(:]{0,60}(?:\( *\d+\))?: /,
];

/** Tornado and Jupyter: [E 15:04:05.678 App] text, [E 260102 15:04:05 web:12]. */
const behindBracket: readonly RegExp[] = [/^\[([CEWID]) (?:[\d-]{6,10} )?\d\d:\d\d:/];

const behindTime: readonly RegExp[] = [
  // logcat: 01-02 15:04:05.678  1702  2395 E Tag: text, with the year, with a user.
  /^(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?(?: +[a-z_]\S*)? +\d+ +\d+ ([FEWIDVA]) /,
  // logcat, with the time alone: 01-02 15:04:05.678 E/Tag( 1702): text.
  /^\d\d-\d\d [\d:.]+ +([FEWIDVA])\/[^\s(:][^(:]{0,60}(?:\( *\d+\))?: /,
  // MongoDB before 4.4: 2026-01-02T15:04:05.678+0000 E NETWORK  [conn] text.
  /^\d{4}-\d\d-\d\dT\S+ ([FEWID])\d? +[A-Z]+ +\[/,
];

/** Redis: 1:M 02 Jan 2026 15:04:05.678 # text. */
const redis = /^\d{1,7}:[MSCX] \d\d \w{3} \d{4} [\d:.]+ ([.\-*#]) /;
const levelBySign: Readonly<Record<string, LineLevel>> = {
  '.': 'debug',
  '-': 'debug',
  '*': 'info',
  '#': 'warn',
};

/** Xorg: [    12.345] (EE) text. */
const xorg = /^(?:\[ *[\d.]+\] )?\((EE|WW|II)\) /;

/** Returns the level of the mark at the start of a line. */
export function markedLevel(head: string): LineLevel | undefined {
  const first = head.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) {
    return levelBySign[redis.exec(head)?.[1] ?? ''] ?? initialLevel(head, behindTime);
  }
  if (first >= 0x41 && first <= 0x57) return initialLevel(head, behindNothing);
  if (first !== 0x5b && first !== 0x28) return undefined;
  const pair = xorg.exec(head)?.[1];
  return pair === undefined ? initialLevel(head, behindBracket) : levelOfLetter(pair.charAt(0));
}

function initialLevel(head: string, formats: readonly RegExp[]): LineLevel | undefined {
  for (const format of formats) {
    const letter = format.exec(head)?.[1];
    if (letter !== undefined) return levelOfLetter(letter);
  }
  return undefined;
}

const priority = /^<(\d{1,3})>/;

/** Returns the level of a syslog priority at the start of a line. */
export function priorityLevel(head: string): LineLevel | undefined {
  const value = priority.exec(head)?.[1];
  return value === undefined ? undefined : levelOfPriority(Number(value));
}
