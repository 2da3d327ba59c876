import { type LoadedLanguage, loadLanguage } from '../../editor/language-loader.ts';
import type { LanguageName } from '../../editor/languages.ts';
import type { TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';

export interface EditorLanguageOptions {
  readonly text: TextEditor;
  readonly name: LanguageName | undefined;
  readonly clock: Clock;
  /** Words have other kinds, or other problems are known. */
  readonly onRead: () => void;
}

/** Reads a text in its language, between keys. */
export interface EditorLanguage {
  /** The text is another one: what is known of it is looked through again, after a rest. */
  changed(): void;
  isLoaded(): boolean;
  /** Rests until something is typed again. */
  pause(): void;
}

/** Milliseconds without a key before what was typed is judged: half a word is full of mistakes. */
const restBefore = 200;
/** Milliseconds between two drawings while a long text is read. */
const drawnEvery = 50;

export function readInLanguage(options: EditorLanguageOptions): EditorLanguage {
  const { text, name, clock, onRead } = options;
  let cancel = (): void => {};
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isPaused = false;
  let loaded: LoadedLanguage | undefined;

  function step(): void {
    const isDone = text.advance();
    if (isDone || clock.now() - drawnAt >= drawnEvery) {
      drawnAt = clock.now();
      onRead();
    }
    if (!isDone) cancel = clock.after(0, step);
  }

  async function start(language: LanguageName): Promise<void> {
    loaded = await loadLanguage(language);
    text.setLanguage(loaded);
    if (!isPaused) step();
  }

  if (name !== undefined) void start(name);
  return {
    changed() {
      isPaused = false;
      if (loaded === undefined) return;
      cancel();
      cancel = clock.after(restBefore, step);
    },
    isLoaded: () => loaded !== undefined,
    pause() {
      isPaused = true;
      cancel();
    },
  };
}
