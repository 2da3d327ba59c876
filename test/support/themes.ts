import type { ThemeChoice } from '../../source/store/deck/screen/appearance.ts';
import type { ColourDepth } from '../../source/terminal/screen/colour.ts';
import { resolveTheme, type ThemeConditions } from '../../source/view/text/resolve-theme.ts';
import type { Theme } from '../../source/view/text/theme.ts';

/** Returns a theme on a terminal with these colours that has not told its background. */
export function themeOf(
  theme: ThemeChoice,
  colours: ColourDepth,
  more: Partial<ThemeConditions> = {},
): Theme {
  const unknown = { background: undefined, hasTrueColour: false };
  return resolveTheme({ ...unknown, theme, colours, ...more });
}
