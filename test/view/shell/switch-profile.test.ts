import { expect, test } from 'vitest';
import { onlyConnection } from '../../../source/store/deck/connection.ts';
import { foundItems, openMenu } from '../../../source/store/prompts/menu.ts';
import { profileMenu, switchProfile } from '../../../source/view/shell/switch-profile.ts';
import { openDeck } from '../open-deck.ts';
import { boxOf, press, said } from '../press-keys.ts';

test('a switch names what keeps it from happening, and asks about countdowns', async () => {
  const asked: string[] = [];
  const services = ['test', 'blue', 'local'].map((name) => ({
    name,
    host: `${name}.example`,
    isReadOnly: false,
  }));
  const connection = {
    ...onlyConnection,
    services,
    async switchTo(name: string) {
      asked.push(name);
      return { sentence: `Profile ${name} has no token.`, next: 'Set its tokenFile.' };
    },
  };
  await using open = await openDeck({}, undefined, { connection, restartDelay: 600_000 });
  const { deck, foreign } = open;
  expect(
    foundItems({ ...openMenu(profileMenu(deck)), narrow: 'BLUE.' }).map(({ id }) => id),
  ).toEqual(['blue']);
  expect(
    profileMenu(deck)
      .items()
      .map(({ meaning }) => meaning),
  ).toEqual(['test.example, shown now', 'blue.example', 'local.example']);
  switchProfile(deck, 'test');
  await said(deck, 'This is test already.');
  const progress = { files: 1, filesDone: 0, bytes: 1, bytesDone: 0, current: undefined };
  deck.screen.transfer.show({ verb: 'Uploading', progress, cancel() {} });
  switchProfile(deck, 'blue');
  await said(deck, 'Uploading is running.');
  deck.screen.transfer.end();
  switchProfile(deck, 'blue');
  await said(deck, 'Profile blue has no token. Set its tokenFile.');
  deck.restarts.filesChanged(foreign.sample, { service: 'web', path: 'a' });
  switchProfile(deck, 'local');
  await boxOf(deck, 'switch while restarts are pending?');
  expect(asked).toEqual(['blue']);
  press(deck, 'escape');
  expect(deck.restarts.state.getState().get(foreign.sample)?.kind).toBe('counting');
});
