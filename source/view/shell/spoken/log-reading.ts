/** Reads the new lines of the followed log aloud. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Tail } from '../../../store/log/tail.ts';
import { entryWords } from '../../log/words.ts';
import { flushVoice, silentVoice, voiceLines, voiceWindow } from './log-voice.ts';

/** Lines of which the texts are read; of more, only the last ones are said. */
const mostRead = 2;

/** The newest line that was said, or that was there when nobody listened. */
interface Place {
  readonly tail: Tail | undefined;
  /** False while the history loads, whose lines are not new. */
  readonly isReady: boolean;
  readonly filter: unknown;
  readonly epoch: number;
  readonly seq: number | undefined;
}

/**
 * Calls `say` with the lines that arrive while the log has the focus and is followed. Lines behind a box
 * wait until it closes; those of a paused log are not said. Returns the function that stops it.
 */
export function followLog(deck: Deck, say: (lines: readonly string[]) => void): () => void {
  let voice = silentVoice;
  let cancelFlush: (() => void) | undefined;
  let place = placeOf(deck);
  let stopTail = (): void => {};

  function read(): void {
    const { focus, main, overlay } = deck.screen.getState();
    const now = placeOf(deck);
    const isFrozen = now.tail?.view.position.getState().kind === 'frozen';
    const isListening = focus === 'main' && main.kind === 'logs' && !isFrozen;
    const isSame =
      now.tail === place.tail &&
      now.isReady === place.isReady &&
      now.filter === place.filter &&
      now.epoch === place.epoch;
    const { tail } = now;
    if (!isListening || !isSame || tail === undefined || !now.isReady) {
      place = now;
      drop();
      return;
    }
    if (overlay !== undefined) return;
    flushLater();
    const { entries } = tail;
    const from = place.seq === undefined ? 0 : entries.indexOf(place.seq + 1);
    const count = entries.length - from;
    if (count <= 0) return;
    place = now;
    const texts = entries
      .slice(Math.max(from, entries.length - mostRead), entries.length)
      .map((entry) => entryWords(deck, tail, entry));
    const voiced = voiceLines(voice, count, texts, deck.clock.now());
    voice = voiced.voice;
    if (voiced.lines.length > 0) say(voiced.lines);
    flushLater();
  }

  function flushLater(): void {
    if (voice.held > 0) cancelFlush ??= deck.clock.after(voiceWindow, flush);
  }

  function flush(): void {
    cancelFlush = undefined;
    // The next reading behind the box flushes.
    if (deck.screen.getState().overlay !== undefined) return;
    const voiced = flushVoice(voice, deck.clock.now());
    voice = voiced.voice;
    if (voiced.lines.length > 0) say(voiced.lines);
  }

  function drop(): void {
    cancelFlush?.();
    cancelFlush = undefined;
    voice = silentVoice;
  }

  function followTail(): void {
    stopTail();
    const { tail } = deck.opened.getState();
    const stops = [tail?.log.state.subscribe(read), tail?.view.position.subscribe(read)];
    stopTail = () => {
      for (const stop of stops) stop?.();
    };
  }

  followTail();
  const stops = [
    deck.opened.subscribe((now, before) => {
      if (now.tail !== before.tail) followTail();
      read();
    }),
    deck.screen.subscribe((now, before) => {
      if (now.focus !== before.focus || now.main !== before.main || now.overlay !== before.overlay)
        read();
    }),
  ];
  return () => {
    drop();
    stopTail();
    for (const stop of stops) stop();
  };
}

function placeOf({ opened }: Pick<Deck, 'opened'>): Place {
  const { tail } = opened.getState();
  const entries = tail?.entries;
  return {
    tail,
    isReady: tail?.log.state.getState().ready ?? false,
    filter: tail?.filter.state.getState().active,
    epoch: entries?.epoch ?? 0,
    seq: entries?.at(entries.length - 1)?.seq,
  };
}
