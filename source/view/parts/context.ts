import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Deck } from '../../store/deck/deck.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import type { Link, Painter } from '../../terminal/screen/screen.ts';
import { type Glyphs, unicodeGlyphs } from '../text/theme.ts';

/** What the view needs of the stream of keys: see `terminal/keys`. */
export interface KeyGate {
  /** Ends the pause in which keys wait for a list that is about to appear. */
  release(): void;
}

export const DeckContext = createContext<Deck | undefined>(undefined);
export const KeysContext = createContext<KeyGate>({ release() {} });
export const GlyphsContext = createContext<Glyphs>(unicodeGlyphs);
export const ColoursContext = createContext<ColourDepth>('none');
/** Paints past Ink; there is none under a test renderer, in a pipe and for a screen reader. */
export const PainterContext = createContext<Painter | undefined>(undefined);
export const LinkContext = createContext<Link>({ isSlow: () => false, subscribe: () => () => {} });

/** The console that the view draws. Throws outside of the app: a part drawn there is a mistake. */
export function useDeck(): Deck {
  const deck = useContext(DeckContext);
  if (deck === undefined) throw new Error('no console around this part');
  return deck;
}

export function useKeys(): KeyGate {
  return useContext(KeysContext);
}

export function useGlyphs(): Glyphs {
  return useContext(GlyphsContext);
}

export function useScreen<T>(select: (screen: Screen) => T): T {
  return useStore(useDeck().screen, select);
}

export function useColours(): ColourDepth {
  return useContext(ColoursContext);
}

export function usePainter(): Painter | undefined {
  return useContext(PainterContext);
}

/** Whether the way to the terminal is slow. */
export function useSlowLink(): boolean {
  const link = useContext(LinkContext);
  return useSyncExternalStore(link.subscribe, link.isSlow);
}
