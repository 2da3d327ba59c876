import type { Deck } from '../../store/deck/deck.ts';
import { confirmBox } from '../../store/prompts/confirm.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import { askToLeave } from '../editor/leave.ts';
import { namedCommand } from './named-commands.ts';
import { isBusy } from './quit-commands.ts';

/** `:token`: asks for another token, without showing it. */
export const tokenCommand = namedCommand({
  id: 'app.token',
  help: 'enter another token',
  title: 'token',
  synonyms: ['login', 'sign in', 'password', 'authenticate'],
  run: ({ deck }) => promptForToken(deck),
});

/** Asks for another token of this service, without showing it. */
export function promptForToken(deck: Deck): void {
  const { profile, screen, messages } = deck;
  if (profile.tokenSource === undefined) {
    return messages.say('The host on this machine needs no token.');
  }
  if (isBusy(deck)) return;
  const prompt: Prompt = {
    label: `Token for ${profile.host}: `,
    isSecret: true,
    hints: [
      ['Enter', 'try it'],
      ['Esc', 'cancel'],
    ],
    submit: (typed) => askToLeave(deck, 'switch', () => void tryToken(deck, typed.trim())),
  };
  screen.overlay.open(prompting(prompt));
}

/** Tries the token; the console then continues with it on a new deck. */
async function tryToken({ connection, messages }: Deck, token: string): Promise<void> {
  const over = messages.begin('Trying the token...');
  const problem = await connection.useToken(token);
  over();
  if (problem !== undefined) messages.say(`${problem.sentence} ${problem.next}`.trim(), 'bad');
}

/** Says that a new token works, and offers to store it where the profile reads its token from. */
export function offerToStoreToken(deck: Deck, earlierSource: string): void {
  const { connection, messages, screen } = deck;
  const { tokenFile } = connection;
  if (tokenFile === undefined) {
    return messages.say(`Signed in for this session. ${earlierSource} gives the earlier token.`);
  }
  const store = async () => {
    const problem = await connection.storeToken();
    if (problem === undefined) messages.say(`Stored the token in ${tokenFile}.`);
    else messages.say(`${problem.sentence} ${problem.next}`.trim(), 'bad');
  };
  const outranked = earlierSource.startsWith('HOSTDECK_')
    ? [`${earlierSource} outranks it at the next start, until it is unset.`]
    : [];
  const question = confirmBox({
    title: 'store the token?',
    lines: [
      'Signed in. The token is kept for this session.',
      `Store it in ${tokenFile}, which only you may read?`,
      ...outranked,
    ],
    options: [{ label: "Don't store" }, { label: 'Store' }],
    escape: "don't store",
    answer: (option) => (option === 1 ? void store() : undefined),
  });
  screen.overlay.open(question);
}
