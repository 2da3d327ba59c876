import { createContext, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Deck } from '../../store/deck/deck.ts';
import type { Screen } from '../../store/deck/screen/screen.ts';
import type { Painter } from '../../terminal/screen/painter.ts';
import { type Glyphs, unicodeGlyphs } from '../text/glyphs.ts';
import { plainTheme } from '../text/resolve-theme.ts';
import type { Theme } from '../text/theme.ts';
import type { Link } from '../../terminal/screen/screen-link.ts';

/** Part of the key stream (`terminal/keys`) that the view controls. */
export interface KeyGate {
  /** Delivers the keys that were held until a list appears. */
  release(): void;
}

export const DeckContext = createContext<Deck | undefined>(undefined);
export const KeysContext = createContext<KeyGate>({ release() {} });
export const GlyphsContext = createContext<Glyphs>(unicodeGlyphs);
export const ThemeContext = createContext<Theme>(plainTheme);
/** Paints without Ink; undefined in a test renderer, where rows are text. */
export const PainterContext = createContext<Painter | undefined>(undefined);
export const LinkContext = createContext<Link>({ isSlow: () => false, subscribe: () => () => {} });

/** Returns the deck that the view draws; throws outside of the app. */
export function useDeck(): Deck {
  const deck = useContext(DeckContext);
  if (deck === undefined) throw new Error('useDeck requires a DeckContext');
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

export function useTheme(): Theme {
  return useContext(ThemeContext);
}

export function usePainter(): Painter | undefined {
  return useContext(PainterContext);
}

/** Returns true while the link to the terminal is slow. */
export function useSlowLink(): boolean {
  const link = useContext(LinkContext);
  return useSyncExternalStore(link.subscribe, link.isSlow);
}
