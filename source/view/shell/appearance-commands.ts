import { type ThemeChoice, themeChoices } from '../../store/deck/screen/appearance.ts';
import type { Command } from '../command/command.ts';
import { namedCommand, switchCommands } from './named-commands.ts';

/** Explanations in the palette. */
const explanations: Readonly<Record<ThemeChoice, string>> = {
  auto: 'as the background',
  dark: 'on a dark ground',
  light: 'on a light ground',
  contrast: 'on painted black',
  mono: 'no colours',
};

const themeCommands = themeChoices.map((theme) =>
  namedCommand({
    id: `app.theme-${theme}`,
    help: explanations[theme],
    title: `theme ${theme}`,
    synonyms: ['set', 'colours', 'colors', 'scheme'],
    run: ({ deck }) => deck.screen.appearance.setTheme(theme),
  }),
);

const bellCommands = switchCommands({
  id: 'app.bell',
  title: 'bell',
  help: ['alerts ring', 'alerts are silent'],
  synonyms: ['set', 'beep', 'sound', 'alert'],
  set({ screen, messages }, isOn) {
    screen.appearance.setBell(isOn);
    messages.say(isOn ? 'Alerts ring the bell.' : 'Alerts are silent.');
  },
});

/** Commands that choose how the terminal looks and sounds; choices are stored for each profile. */
export const appearanceCommands: readonly Command[] = [...themeCommands, ...bellCommands];
