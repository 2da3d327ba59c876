import type { AppearanceState, ThemeChoice } from '../../source/store/deck/screen/appearance.ts';
import type { ColourDepth } from '../../source/terminal/screen/colour.ts';
import { resolveTheme } from '../../source/view/text/resolve-theme.ts';
import type { Theme } from '../../source/view/text/theme.ts';

/** Returns a theme on a fast terminal with these colours that has not told its background. */
export function themeOf(
  theme: ThemeChoice,
  colours: ColourDepth,
  more: Partial<AppearanceState & { readonly isSlow: boolean }> = {},
): Theme {
  const unknown = { background: undefined, hasTrueColour: false, isSlow: false };
  return resolveTheme({ ...unknown, theme, colours, ...more });
}
