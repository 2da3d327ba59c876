import type { Slice } from './slice.ts';

export const themeChoices = ['auto', 'dark', 'light', 'contrast', 'mono'] as const;

/** The theme that the person wants; `auto` follows the terminal's background. */
export type ThemeChoice = (typeof themeChoices)[number];

export interface AppearanceState {
  readonly theme: ThemeChoice;
  /** Background that the terminal reported, or its environment; undefined where neither did. */
  readonly background: 'dark' | 'light' | undefined;
  /** True when colours are written as they are to a terminal that shows any colour. */
  readonly hasTrueColour: boolean;
  /** Whether an alert rings the terminal's bell. */
  readonly hasBell: boolean;
}

/** Settings of the terminal's looks and sounds. */
export interface AppearanceActions {
  setTheme(theme: ThemeChoice): void;
  /** Records the terminal's background. */
  setBackground(background: 'dark' | 'light'): void;
  setTrueColour(hasTrueColour: boolean): void;
  setBell(hasBell: boolean): void;
}

export function appearanceActions({ set }: Slice<AppearanceState>): AppearanceActions {
  return {
    setTheme(theme) {
      set({ theme });
    },
    setBackground(background) {
      set({ background });
    },
    setTrueColour(hasTrueColour) {
      set({ hasTrueColour });
    },
    setBell(hasBell) {
      set({ hasBell });
    },
  };
}

/** Parses the name of a theme; undefined for any other value. */
export function parseTheme(value: unknown): ThemeChoice | undefined {
  return themeChoices.find((choice) => choice === value);
}
