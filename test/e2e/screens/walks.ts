import type { ScreenFixture, Step } from './fixture.ts';

/** A place of a walk where the screen is recorded, and its name. */
export interface Keep {
  readonly keep: string;
}

/** Whether the console draws, or is spoken for a screen reader. */
export type Console = 'drawn' | 'spoken';

/** Steps that only one of the consoles takes, and why the other one doesn't. */
interface Only {
  readonly only: Console;
  readonly because: string;
  readonly steps: readonly (Step | Keep)[];
}

/** A way through the console by keys, with the screens that are recorded on it. */
export interface Walk extends Pick<ScreenFixture, 'service' | 'answers' | 'env' | 'kept'> {
  readonly steps: readonly (Step | Keep | Only)[];
  /** A text of the file that the editor of a spoken console replaces, and its replacement. */
  readonly edits?: readonly [text: string, by: string];
}

/** Returns the steps of a walk that a console takes. */
export function stepsOf({ steps }: Walk, console: Console): readonly (Step | Keep)[] {
  return steps.flatMap((step) => {
    if (!('only' in step)) return [step];
    return step.only === console ? step.steps : [];
  });
}

/** Esc as terminals send it that tell it from Alt, so that nothing has to be waited for. */
export const escape = '\x1b[27u';

/** Presses keys. */
const press = (...keys: readonly string[]): Step =>
  keys.includes('escape') ? { type: escape.repeat(keys.length) } : { press: keys };
const type = (text: string): Step => ({ type: text });
const see = (text: string): Step => ({ see: text });
const keep = (name: string): Keep => ({ keep: name });
/** Steps that record what keys show, and leave it again. */
const shown = (name: string, keys: readonly string[], back: readonly string[]) => [
  press(...keys),
  keep(name),
  ...back.map((key) => press(key)),
];
const leave = ['escape'];
const only = (console: Console, because: string, steps: readonly (Step | Keep)[]): Only => ({
  only: console,
  because,
  steps,
});

/** Time in which a box can be heard before it takes an answer. */
const heard: Step = { advance: 1000 };
const answered = (name: string, digit: string) => [heard, press(digit), keep(name)];

const prod = { HOSTDECK_PROFILE: 'prod', HOSTDECK_RESTART_DELAY: '5' };

/** Steps that see in the largest window that all is answered which changes the screen by itself. */
export const started = [see('1 Deployments'), see('live'), see('server.js'), see('0/50')];

/** Text at the end of all that is said at the start. */
export const startSaid = '! opens its log.\n';

export const walks: Readonly<Record<string, Walk>> = {
  deployments: {
    service: 'fleet',
    env: prod,
    steps: [
      press('1'),
      keep('the list'),
      press('/'),
      type('sh'),
      keep('a filter being typed'),
      press('enter'),
      keep('a filter'),
      only('spoken', 'Drawn, every list shows whether it is filtered.', [
        press('2', '1'),
        keep('a filter after another pane'),
      ]),
      press('escape'),
      press('g', 'space', 'j', 'space'),
      keep('marked rows'),
      ...shown('close those marked', ['X'], leave),
      ...shown('restart those marked', ['r'], leave),
      press('escape'),
      press('g'),
      press('o'),
      keep('another order'),
      press('o', 'o', 'o', 'o'),
      press('g'),
      ...shown('close one', ['X'], leave),
      ...shown('restart one', ['r'], leave),
      press('d'),
      keep('details'),
      press('J'),
      keep('details as JSON'),
      press('J'),
      press('escape'),
      press('1'),
      ...shown('help', ['?'], leave),
      press('?'),
      type('restart'),
      keep('help, searched'),
      press('escape'),
      ...shown('all commands', [':'], leave),
      press(':'),
      type('close'),
      keep('commands, narrowed'),
      press('escape'),
      press(':'),
      type('theme mono'),
      press('enter'),
      press(':'),
      type('history'),
      press('enter'),
      keep('history'),
      press('escape'),
    ],
  },
  files: {
    service: 'fleet',
    env: prod,
    steps: [
      press('2'),
      keep('the tree'),
      press('h'),
      keep('a folded folder'),
      press('l'),
      ...shown('services', ['s'], leave),
      ...shown('new file', ['a'], leave),
      press('j'),
      ...shown('move a file', ['m'], leave),
      ...shown('copy a file', ['A'], leave),
      ...shown('upload', ['p'], leave),
      ...shown('download', ['S'], leave),
      ...shown('delete a file', ['X'], leave),
      press('space', 'j', 'space'),
      keep('marked files'),
      ...shown('delete those marked', ['X'], leave),
      press('escape'),
      press('g', 'j'),
      ...shown('help', ['?'], leave),
      press('enter'),
      see('View'),
      keep('view'),
      press('/'),
      type('port'),
      keep('a search being typed'),
      press('enter'),
      keep('a search'),
      press('escape'),
      press('q', '2'),
    ],
  },
  editor: {
    service: 'fleet',
    env: prod,
    edits: ['2s', '3s'],
    steps: [
      press('2', 'j', 'e'),
      only('drawn', 'A screen reader edits in another program.', [
        see('EDIT'),
        keep('a file'),
        press('down', 'down', 'end', 'backspace', 'backspace'),
        type('3s'),
        keep('unsaved'),
        press('ctrl+f'),
        type('level'),
        keep('find'),
        press('tab'),
        type('x'),
        keep('replace'),
        press('escape'),
        press('escape'),
        ...shown('go to a line', ['ctrl+g'], leave),
        ...shown('text and service', ['f7'], leave),
        ...shown('discard', ['f6'], leave),
        ...shown('help', ['f1'], leave),
        press('ctrl+s'),
      ]),
      only('spoken', 'Where the editor is drawn, its keys do what these answers do.', [
        keep('edited in another program'),
        ...answered('the difference', '4'),
        press('escape'),
        ...answered('discard', '5'),
        press('escape'),
        heard,
        press('2'),
      ]),
      see('Saved'),
      keep('saved'),
      ...shown('restart box while it counts', ['ctrl+r'], leave),
      only('drawn', 'The other program has ended before.', [press('ctrl+q')]),
      keep('the countdown in the list of files'),
      press('c'),
      keep('cancelled'),
      press('u'),
      keep('undo'),
      press('escape'),
    ],
  },
  grants: {
    service: 'fleet',
    env: prod,
    steps: [
      press('3'),
      keep('the list'),
      press('d'),
      keep('details'),
      press('escape'),
      press('3'),
      ...shown('revoke', ['X'], leave),
      press('a'),
      keep('an empty form'),
      type('0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c'),
      press('tab'),
      type('50'),
      press('tab'),
      type('30d'),
      keep('a form filled in'),
      press('escape'),
      ...shown('help', ['?'], leave),
    ],
  },
  log: {
    service: 'errors',
    env: prod,
    steps: [
      press('4'),
      keep('live'),
      press('space'),
      keep('paused'),
      press('i'),
      keep('without histogram'),
      press('i'),
      press('w'),
      keep('wrapped'),
      press('w', 't'),
      keep('other times'),
      press('t', 't', 't'),
      press('v', 'k', 'k'),
      keep('selected lines'),
      press('escape'),
      ...shown('services', ['s'], leave),
      press('&'),
      type('ERROR'),
      keep('a filter being typed'),
      press('enter'),
      see('of 236'),
      keep('a filter'),
      only('spoken', 'Drawn, the log shows whether it is filtered.', [
        press('1', '4'),
        keep('a filter after another pane'),
      ]),
      ...shown('filters', ['F'], leave),
      press('/'),
      type('[a-'),
      press('tab'),
      only('spoken', 'A pause has the pattern judged.', [heard]),
      keep('a pattern that is none'),
      press('escape'),
      press('escape'),
      press('%'),
      keep('patterns'),
      press('escape'),
      press('enter'),
      keep('details of a line'),
      press('escape'),
      ...shown('go to a time', ['T'], leave),
      press('C'),
      keep('no columns'),
      ...shown('help', ['?'], leave),
      press('e'),
      keep('next error'),
      press('E'),
      keep('previous error'),
      ...shown('pipe', ['|'], leave),
      ...shown('download', ['S'], leave),
    ],
  },
};
