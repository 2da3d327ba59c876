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

const themeCommands = themeChoices.map(
  (theme): Command => ({
    id: `app.theme-${theme}`,
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: explanations[theme],
    title: `theme ${theme}`,
    synonyms: ['set', 'colours', 'colors', 'scheme'],
    run: ({ deck }) => deck.screen.appearance.setTheme(theme),
  }),
);

const bellCommands = [true, false].map(
  (isOn): Command => ({
    id: isOn ? 'app.bell-on' : 'app.bell-off',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: isOn ? 'alerts ring' : 'alerts are silent',
    title: isOn ? 'bell on' : 'bell off',
    synonyms: ['set', 'beep', 'sound', 'alert'],
    run({ deck }) {
      deck.screen.appearance.setBell(isOn);
      deck.messages.say(isOn ? 'Alerts ring the bell.' : 'Alerts are silent.');
    },
  }),
);

/** Commands that choose how the terminal looks and sounds; choices are stored for each profile. */
export const appearanceCommands: readonly Command[] = [...themeCommands, ...bellCommands];
