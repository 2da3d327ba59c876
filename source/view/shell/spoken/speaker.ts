/** Screen-reader output: appends one line per change. */
import type { TerminalSize } from '../../../terminal/screen/ink-stdout.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import type { KeyEvent } from '../../../terminal/keys/key-sequences.ts';
import { registeredCommands } from '../commands.ts';
import type { Terminal } from '../../command/action.ts';
import type { Commands } from '../../command/registry.ts';
import { answerKeys } from './answer-keys.ts';
import { editOutside } from './edit-outside.ts';
import { echoStep, noEcho } from './echo.ts';
import { followChanges } from './follow-changes.ts';
import { hear } from './hear.ts';
import type { Heard, HeardBox } from './heard.ts';
import { followLog } from './log-reading.ts';
import { statusWords } from './status-words.ts';
import { foundLine, nothingSaid, sayChanges, whereLines } from './say-changes.ts';

export interface Speaker {
  /** Says what changes in a deck from now on, in place of an earlier one. */
  follow(deck: Deck, terminal: Pick<Terminal, 'hand'>): void;
  /** Returns the keys that a digit stands for in a box with numbered answers; undefined for other keys. */
  answerKeys(event: KeyEvent): readonly string[] | undefined;
  /** Notes a key, so that one without an effect repeats the row under the cursor. */
  keyPressed(event: KeyEvent): void;
  /** Says where the person is, and how things stand. */
  repeat(): void;
  /** Says that the person has quit, and nothing after that. */
  leave(): void;
}

export interface SpeakerOptions {
  readonly write: (output: string) => void;
  /** Size that the panes are laid out for. */
  readonly size: TerminalSize;
  readonly commands?: Commands | undefined;
}

/** Milliseconds without a key after which the result of typed text is said. */
const typingPause = 600;

/** Keys that move; at an end, they repeat the row. */
const movingKeys: ReadonlySet<string> = new Set(
  'up down left right home end pageup pagedown j k h l g G ctrl+f ctrl+b ctrl+d ctrl+u'.split(' '),
);

/** Creates the speaker; it says nothing before it follows a deck. */
export function createSpeaker({
  write,
  size,
  commands = registeredCommands,
}: SpeakerOptions): Speaker {
  let deck: Deck | undefined;
  let said = nothingSaid;
  let echo = noEcho;
  let stop = (): void => {};
  let cancelPause = (): void => {};
  let isAsked = false;

  function output(lines: readonly string[], now: Heard): void {
    const step = echoStep(echo, lines, now.box?.field);
    echo = step.echo;
    if (step.output !== '') write(step.output);
  }

  function listen(): void {
    if (deck === undefined) return;
    const now = hear(deck, commands, size);
    const isOtherResult = hasOtherResult(said.box, now.box);
    const saying = sayChanges(said, now);
    said = saying.said;
    const isRepeated = isAsked && saying.lines.length === 0;
    isAsked = false;
    if (saying.lines.length > 0) cancelPause();
    output(isRepeated ? [repeatedRow(now)].filter((line) => line !== '') : saying.lines, now);
    if (isOtherResult) sayFoundLater(deck);
  }

  function sayFoundLater(current: Deck): void {
    cancelPause();
    cancelPause = current.clock.after(typingPause, () => {
      if (deck !== current) return;
      const now = hear(current, commands, size);
      const line = now.box === undefined ? undefined : foundLine(now.box);
      if (line === undefined) return;
      said = { ...said, box: now.box };
      output([line], now);
    });
  }

  return {
    follow(next, terminal) {
      stop();
      cancelPause();
      deck = next;
      said = nothingSaid;
      const changes = followChanges(next, listen);
      const log = followLog(next, (lines) => {
        if (deck === next) output(lines, hear(next, commands, size));
      });
      const editing = editOutside(next, terminal);
      stop = () => {
        changes();
        log();
        editing();
      };
      output([greeting(next)], hear(next, commands, size));
      listen();
    },
    answerKeys(event) {
      if (deck === undefined) return undefined;
      const keys = answerKeys(deck, event);
      // The box closes or stays; that an answer was selected is no news.
      if (keys !== undefined) said = { ...said, box: hear(deck, commands, size).box ?? said.box };
      return keys;
    },
    keyPressed({ name }) {
      if (deck === undefined) return;
      isAsked = movingKeys.has(name) && deck.screen.getState().overlay === undefined;
      if (isAsked) deck.clock.after(0, listen);
    },
    repeat() {
      if (deck === undefined) return;
      const now = hear(deck, commands, size);
      said = sayChanges(said, now).said;
      echo = { ...echo, field: undefined };
      const status = statusWords(deck);
      output([...whereLines(now), ...(status === '' ? [] : [status])], now);
    },
    leave() {
      stop();
      cancelPause();
      deck = undefined;
      write(echoStep(echo, ['Leaving hostdeck.'], undefined).output);
    },
  };
}

/**
 * Returns whether a text was typed, or is read in another way: `Tab` opens a prompt that takes the same
 * text as a pattern.
 */
function hasOtherResult(before: HeardBox | undefined, now: HeardBox | undefined): boolean {
  if (before?.field === undefined || now?.field === undefined) return false;
  const isSameText = before.field.text === now.field.text;
  return before.id === now.id ? !isSameText : isSameText && now.field.text !== '';
}

/** Returns the row under the cursor, for a key that moved nothing. */
function repeatedRow({ row, page }: Heard): string {
  return row?.text ?? page?.lines.at(-1) ?? '';
}

function greeting({ profile }: Pick<Deck, 'profile'>): string {
  const host = profile.host === profile.name ? '' : ` at ${profile.host}`;
  return `hostdeck, ${profile.name}${host}. ? lists the keys, : runs a command by name, q q quits.`;
}
