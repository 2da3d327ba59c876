/** Checks of Node, terminal and locale. Pure. */
import { timeZoneName, timeZoneProblem } from '../../config/time-zone.ts';
import { type ColourDepth, colourDepth, supportsUnicode } from '../../terminal/screen/colour.ts';
import { drawingObstacle } from '../../terminal/traits.ts';
import { type Check, failCheck, okCheck, warnCheck } from './check.ts';

/** Oldest major version of Node that runs hostdeck; the same as `engines` in package.json. */
const oldestNode = 24;

/** Checks the version of Node, such as `26.10.0`. */
export function checkNode(version: string): Check {
  return Number.parseInt(version, 10) >= oldestNode
    ? okCheck('node', version)
    : failCheck('node', `${version} is too old.`, `Install Node ${oldestNode} or newer.`);
}

const colours: Readonly<Record<ColourDepth, string>> = {
  none: 'no colours',
  '16': '16 colours',
  '256': '256 colours',
  true: 'true colour',
};

/** Facts about the terminal that a command writes to. */
export interface TerminalFacts {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number | undefined;
}

/** Checks whether the console can draw on the terminal, and with which colours. */
export function checkTerminal(
  env: NodeJS.ProcessEnv,
  { isTerminal, columns, rows }: TerminalFacts,
): Check {
  const { TERM: term = '' } = env;
  if (!isTerminal) return okCheck('terminal', 'none here; commands need none, the console does');
  if (drawingObstacle(env) !== undefined) {
    return warnCheck(
      'terminal',
      `TERM is ${term === '' ? 'not set' : term}, so the console can't draw.`,
      'Set TERM to the name of your terminal, such as xterm-256color. Commands work.',
    );
  }
  const size = rows === undefined ? '' : `, ${columns}x${rows}`;
  const finding = `${term}, ${colours[colourDepth(env)]}${size}`;
  return columns < leastColumns || (rows ?? leastRows) < leastRows
    ? warnCheck('terminal', finding, `Enlarge it to ${leastColumns}x${leastRows} or more.`)
    : okCheck('terminal', finding);
}

/** Smallest terminal that the console draws its panes on. */
const leastColumns = 40;
const leastRows = 10;

/** Checks whether local times are those of the zone that TZ means. */
export function checkTimeZone(env: NodeJS.ProcessEnv): Check {
  const problem = timeZoneProblem(env);
  return problem === undefined
    ? okCheck('time zone', timeZoneName())
    : warnCheck('time zone', problem.sentence, problem.next);
}

/** Checks whether the locale lets the console draw more than ASCII. */
export function checkLocale(env: NodeJS.ProcessEnv): Check {
  const name = ['LC_ALL', 'LC_CTYPE'].find((each) => env[each]) ?? 'LANG';
  const value = env[name] ?? '';
  const shown = value === '' ? 'No locale is set.' : `${name} is ${value}`;
  if (supportsUnicode(env)) return okCheck('locale', `${shown}, UTF-8`);
  return /utf-?8/i.test(value)
    ? okCheck('locale', `${shown}; this terminal draws ASCII only`)
    : warnCheck('locale', shown, 'The console draws ASCII only. For more, set LANG=C.UTF-8.');
}
