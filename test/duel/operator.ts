import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../e2e/harness.ts';

/** Something that an operator did, for the figures. */
export type Deed =
  | 'open'
  | 'type'
  | 'save'
  | 'leave'
  | 'discard'
  | 'delete'
  | 'undo'
  | 'move'
  | 'conflict'
  | 'take over'
  | 'answer';

export interface OperatorOptions {
  readonly session: Session;
  /** Returns the next number from 0 to 1. */
  readonly random: () => number;
  /** Returns a word that was not typed before. */
  readonly nextWord: () => string;
  readonly onDeed: (deed: Deed) => void;
  /** Called when the screen shows a typed word in the editor. */
  readonly onSeen: (word: string) => void;
  /** Called when the console confirms a save, with the words that were visible when it began. */
  readonly onSaved: (words: readonly string[]) => void;
  readonly isOver: () => boolean;
}

/** Milliseconds without output after which a screen counts as settled, and the longest wait for it. */
const quiet = 60;
const longest = 1200;

const words = /\bw\d+x\b/g;

/**
 * Works on a console by what its screen shows: edits, saves, discards, deletes, moves and undoes, and
 * answers the boxes at random. Every key has a meaning on the screen that it is pressed on.
 */
export async function operate(options: OperatorOptions): Promise<void> {
  const { session, random, isOver, onDeed } = options;

  const pick = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];

  async function settle(): Promise<void> {
    for (let waited = 0, before = -1; waited < longest && !isOver(); waited += quiet) {
      if (session.transcript.length === before) return;
      before = session.transcript.length;
      await sleep(quiet);
    }
  }

  const hasBox = (): boolean => /[┌└]/.test(session.screen);
  const isEditing = (): boolean => /^EDIT /m.test(session.screen);
  const isPrompting = (): boolean => /^(?:Move|Find:|New file)/m.test(session.screen);

  async function answerBox(): Promise<void> {
    if (session.screen.includes('changed on the service')) onDeed('conflict');
    const isTakeOver = session.screen.includes('open in another hostdeck');
    // A box takes no answer in its first moments.
    await sleep(350);
    for (let steps = Math.floor(random() * 4); steps > 0 && !isOver(); steps -= 1) {
      session.press(/^[│ ]*> /m.test(session.screen) ? 'down' : 'tab');
      await settle();
    }
    if (isTakeOver && /> Take over/.test(session.screen)) onDeed('take over');
    else onDeed('answer');
    session.press(random() < 0.85 ? 'enter' : 'escape');
  }

  async function edit(): Promise<void> {
    const what = pick('type', 'type', 'type', 'save', 'save', 'leave', 'discard');
    onDeed(what);
    if (what === 'type') {
      const word = options.nextWord();
      session.press(pick('ctrl+home', 'ctrl+end'));
      session.type(`${word} `);
      await settle();
      if (isEditing() && !hasBox() && session.screen.includes(word)) options.onSeen(word);
    } else if (what === 'save') {
      const visible = session.screen.match(words) ?? [];
      const before = session.screen;
      session.press('ctrl+s');
      await settle();
      const said = /Saved \S+ \d\d:\d\d:\d\d/.exec(session.screen)?.[0];
      if (said !== undefined && !before.includes(said)) options.onSaved(visible);
    } else session.press(what === 'leave' ? 'ctrl+q' : 'f6');
  }

  async function workInFiles(): Promise<void> {
    session.press('g', ...Array.from({ length: Math.floor(random() * 3) }, () => 'j'));
    await settle();
    if (hasBox() || !session.screen.includes('[2 Files')) return;
    const what = pick('open', 'open', 'open', 'delete', 'undo', 'undo', 'move');
    onDeed(what);
    if (what === 'move') {
      session.press('m');
      await settle();
      if (!/^Move \S+ to: /m.test(session.screen)) return;
      session.press('ctrl+u');
      session.type(`${pick('a', 'b', 'c')}.txt`);
      session.press('enter');
    } else session.press({ open: 'e', delete: 'X', undo: 'u' }[what]);
  }

  while (!isOver()) {
    await settle();
    if (isOver()) return;
    if (hasBox()) await answerBox();
    else if (isPrompting()) session.press('escape');
    else if (isEditing()) await edit();
    else if (session.screen.includes('[2 Files')) await workInFiles();
    else session.press('2');
  }
}
