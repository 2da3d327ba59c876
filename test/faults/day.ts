import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../e2e/harness.ts';
import type { Step } from './plan.ts';

/** The record of one file: the texts that were typed into it, and the outcome of its saves. */
export interface FileRecord {
  readonly path: string;
  readonly states: { readonly text: string; seenAt: number | undefined }[];
  readonly asked: number[];
  saved: number | undefined;
}

export interface DayOptions {
  readonly session: Session;
  readonly files: readonly FileRecord[];
  /** Called as each step begins, and when a save is seen to be saved. */
  readonly onStep: (step: number) => void;
  readonly onSaved: () => void;
  /** Nothing is done any more, and nothing that is seen counts. */
  readonly isOver: () => boolean;
}

/** Two saves say the same within a second. */
const clockStep = 1000;

const savedPattern = /Saved \S+ (\d\d:\d\d:\d\d)/;

/** Works at the console as a person does, until the steps or the day are over. */
export async function liveDay(options: DayOptions, steps: readonly Step[]): Promise<void> {
  const { session, files, isOver } = options;
  let open: FileRecord | undefined;
  let lastSaved = '';
  let lastSavedAt = 0;

  async function openFile(next: FileRecord, at: number): Promise<void> {
    if (open !== undefined) session.press('ctrl+q');
    open = undefined;
    await goTo(session, next.path, at);
    if (isOver()) return;
    session.press('e');
    await session.waitFor(new RegExp(`EDIT ${next.path}`));
    if (isOver()) return;
    session.press('ctrl+home');
    await session.waitFor(/Ln 1 Col 1\b/);
    open = next;
    typedBefore = '';
    textBefore = next.states.at(-1)?.text ?? '';
  }

  let typedBefore = '';
  let textBefore = '';

  /** Types what is seen when it is in the text: each word is a new one. */
  async function type(word: string, pace: number): Promise<void> {
    if (open === undefined) throw new Error('nothing is open');
    const file = open;
    if (pace === 0) session.type(word);
    for (const character of word.split('')) {
      if (isOver()) return;
      // Text that is sent at once may still arrive in parts.
      typedBefore += character;
      file.states.push({ text: typedBefore + textBefore, seenAt: undefined });
      if (pace === 0) continue;
      session.type(character);
      await sleep(pace);
    }
    const last = file.states.at(-1);
    await session.waitFor(word.trimEnd());
    if (last !== undefined && !isOver()) last.seenAt = performance.now();
  }

  async function save(meanwhile: string): Promise<void> {
    if (open === undefined) throw new Error('nothing is open');
    const file = open;
    await sleep(Math.max(0, lastSavedAt + clockStep - performance.now()));
    if (isOver()) return;
    const asked = file.states.length - 1;
    file.asked.push(asked);
    session.press('ctrl+s');
    const typing = meanwhile === '' ? undefined : type(meanwhile, 0);
    const isNew = (): boolean => {
      const time = savedPattern.exec(session.screen)?.[1];
      if (time === undefined || time === lastSaved || isOver()) return false;
      lastSaved = time;
      lastSavedAt = performance.now();
      file.saved = asked;
      options.onSaved();
      return true;
    };
    await Promise.all([session.waitFor(isNew), typing]);
  }

  for (const [index, step] of steps.entries()) {
    if (isOver()) return;
    options.onStep(index);
    switch (step.kind) {
      case 'open': {
        const next = files[step.file];
        if (next === undefined) throw new Error(`no file ${step.file}`);
        if (next !== open) await openFile(next, step.file);
        break;
      }
      case 'type':
        await type(step.word, step.pace);
        break;
      case 'save':
        await save(step.meanwhile);
        break;
      case 'wait':
        await sleep(step.milliseconds);
        break;
    }
  }
}

/** Puts the cursor on a file of pane 2, which lists nothing else. */
export async function goTo(session: Session, path: string, at: number): Promise<void> {
  session.press('2');
  await session.waitFor(/\[2 Files shop\/web/);
  await session.waitFor(path);
  session.press('g', ...Array.from({ length: at }, () => 'j'));
  await session.waitFor(new RegExp(`^> +\\S* *${path.replace('.', '\\.')}`, 'm'));
}
