import { type ThemeChoice, themeChoices } from '../../store/deck/screen/appearance.ts';
import { type Command, paneContexts } from '../command/command.ts';

/** Explanations in the palette. */
const explanations: Readonly<Record<ThemeChoice, string>> = {
  auto: 'as the background',
  dark: 'on a dark ground',
  light: 'on a light ground',
  contrast: 'on painted black',
  mono: 'no colours',
};

/** Commands that choose how the screen looks; the choice is stored for each profile. */
export const appearanceCommands: readonly Command[] = themeChoices.map((theme) => ({
  id: `app.theme-${theme}`,
  keys: [],
  contexts: paneContexts,
  group: 'name',
  help: explanations[theme],
  title: `theme ${theme}`,
  synonyms: ['colours', 'colors', 'scheme'],
  run: ({ deck }) => deck.screen.appearance.setTheme(theme),
}));
