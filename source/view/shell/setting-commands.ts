import { type Command, paneContexts } from '../command/command.ts';

const readOnlyCommands = [true, false].map(
  (isOn): Command => ({
    id: isOn ? 'app.set-readonly-on' : 'app.set-readonly-off',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: isOn ? 'refuse changes' : 'allow changes',
    title: isOn ? 'set readonly on' : 'set readonly off',
    synonyms: ['protect', 'lock', 'write', 'read-only'],
    run({ deck }) {
      const refusal = deck.access.setReadOnly(isOn);
      if (refusal !== undefined) deck.messages.say(`${refusal.sentence} ${refusal.next}`, 'bad');
      else if (isOn) deck.messages.say('Changes are refused. :set readonly off allows them.');
      else deck.messages.say('Changes are allowed.');
    },
  }),
);

const colourCommands = [true, false].map(
  (isOn): Command => ({
    id: isOn ? 'app.set-truecolour-on' : 'app.set-truecolour-off',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: isOn ? 'exact colours' : 'colours of 256',
    title: isOn ? 'set truecolour on' : 'set truecolour off',
    synonyms: ['colours', 'colors', 'truecolor', '24-bit'],
    run({ deck }) {
      deck.screen.appearance.setTrueColour(isOn);
      const exact = 'Colours are exact where the terminal announces that (COLORTERM).';
      deck.messages.say(isOn ? exact : 'Colours are the nearest of 256.');
    },
  }),
);

/** Commands that change a setting for this session: `:set NAME on|off`. */
export const settingCommands: readonly Command[] = [...readOnlyCommands, ...colourCommands];
