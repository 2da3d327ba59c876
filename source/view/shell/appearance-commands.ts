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

const mouseCommands = switchCommands({
  id: 'app.mouse',
  title: 'mouse',
  help: ['clicks act', 'terminal selects'],
  synonyms: ['set', 'click', 'pointer', 'wheel'],
  set({ screen, messages }, isOn) {
    screen.settings.setMouse(isOn);
    const on = 'Clicks act. Most terminals select text while Shift is held.';
    messages.say(isOn ? on : 'The mouse belongs to the terminal again.');
  },
});

/** Commands that choose how the terminal looks, sounds and points; each profile keeps its own. */
export const appearanceCommands: readonly Command[] = [
  ...themeCommands,
  ...bellCommands,
  ...mouseCommands,
];
