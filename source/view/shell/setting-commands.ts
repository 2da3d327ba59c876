import { keyName } from '../../store/prompts/key-names.ts';
import { parseRestartDelay } from '../../contract/restart-delay.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { failedPrompt, type Prompt, prompting } from '../../store/prompts/prompt.ts';
import type { RestartDelay } from '../../store/restarts/state.ts';
import type { Command } from '../command/command.ts';
import { namedCommand, switchCommands } from './named-commands.ts';

const readOnlyCommands = switchCommands({
  id: 'app.set-readonly',
  title: 'set readonly',
  help: ['refuse changes', 'allow changes'],
  synonyms: ['protect', 'lock', 'write', 'read-only'],
  set({ access, messages }, isOn) {
    const refusal = access.setReadOnly(isOn);
    if (refusal !== undefined) messages.say(`${refusal.sentence} ${refusal.next}`, 'bad');
    else if (isOn) messages.say('Changes are refused. :set readonly off allows them.');
    else messages.say('Changes are allowed.');
  },
});

const colourCommands = switchCommands({
  id: 'app.set-truecolour',
  title: 'set truecolour',
  help: ['exact colours', 'colours of 256'],
  synonyms: ['colours', 'colors', 'truecolor', '24-bit'],
  set({ screen, messages }, isOn) {
    screen.appearance.setTrueColour(isOn);
    const exact = 'Colours are exact where the terminal announces that (COLORTERM).';
    messages.say(isOn ? exact : 'Colours are the nearest of 256.');
  },
});

const restartDelayCommand = namedCommand({
  id: 'app.set-restart-delay',
  title: 'set restart-delay',
  help: 'seconds, or off',
  synonyms: ['countdown', 'automatic', 'autorestart', 'wait', 'seconds'],
  run: ({ deck }) => deck.screen.overlay.open(prompting(restartDelayPrompt(deck))),
});

function restartDelayPrompt(deck: Pick<Deck, 'screen' | 'messages'>): Prompt {
  const { screen, messages } = deck;
  const prompt: Prompt = {
    label: 'Restart delay (seconds, or off): ',
    submit(text) {
      const delay = parseRestartDelay(text.trim());
      if (delay === undefined) {
        const problem = { sentence: 'A delay is a number of seconds, or off.', next: '' };
        screen.overlay.open(failedPrompt(prompt, text, problem));
        return;
      }
      screen.settings.setRestartDelay(delay);
      messages.say(delaySentence(delay));
    },
  };
  return prompt;
}

function delaySentence(delay: RestartDelay): string {
  if (delay === 'off')
    return `Changes are applied by ${keyName('restarts.restart', 'r')} alone; nothing restarts by itself.`;
  return `Restarts follow the last change after ${delay / 1000} s.`;
}

/** Commands that change a setting: `:set NAME ...`. */
export const settingCommands: readonly Command[] = [
  ...readOnlyCommands,
  ...colourCommands,
  restartDelayCommand,
];
