import { type LoadedLanguage, loadLanguage } from '../../editor/language-loader.ts';
import type { LanguageName } from '../../editor/languages.ts';
import type { TextEditor } from '../../editor/text-editor.ts';
import type { Clock } from '../time/clock.ts';
import { loadedOrNone } from '../../system/lazy-part.ts';

export interface EditorLanguageOptions {
  readonly text: TextEditor;
  readonly name: LanguageName | undefined;
  readonly clock: Clock;
  /** Called when highlighting or problems change. */
  readonly onRead: () => void;
}

/** The parser of a text, which runs between keys. */
export interface EditorLanguage {
  /** Schedules a parse of the changed text. */
  changed(): void;
  isLoaded(): boolean;
  /** Stops parsing until the text changes. */
  pause(): void;
}

/** Milliseconds without a key before a parse; an unfinished word is full of errors. */
const parseDelay = 200;
/** Milliseconds between two drawings while a long text is parsed. */
const drawInterval = 50;

/** Loads the parser of a language and parses the text in slices. */
export function readInLanguage(options: EditorLanguageOptions): EditorLanguage {
  const { text, name, clock, onRead } = options;
  let cancel = (): void => {};
  let lastDrawnAt = Number.NEGATIVE_INFINITY;
  let isPaused = false;
  let loaded: LoadedLanguage | undefined;

  function step(): void {
    const isDone = text.advance();
    if (isDone || clock.now() - lastDrawnAt >= drawInterval) {
      lastDrawnAt = clock.now();
      onRead();
    }
    if (!isDone) cancel = clock.after(0, step);
  }

  async function start(language: LanguageName): Promise<void> {
    loaded = await loadedOrNone(() => loadLanguage(language));
    // The text stays plain.
    if (loaded === undefined) return;
    text.setLanguage(loaded);
    if (!isPaused) step();
  }

  if (name !== undefined) void start(name);
  return {
    changed() {
      isPaused = false;
      if (loaded === undefined) return;
      cancel();
      cancel = clock.after(parseDelay, step);
    },
    isLoaded: () => loaded !== undefined,
    pause() {
      isPaused = true;
      cancel();
    },
  };
}
