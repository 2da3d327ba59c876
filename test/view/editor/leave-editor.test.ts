import { expect, test } from 'vitest';
import { openConsole } from '../open-deck.ts';
import { goToFile, press, said } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

test('leaving unsaved text says where it can be opened again', async () => {
  await using open = await openConsole({}, (foreign) => {
    foreign.put(foreign.sample, 'web', 'page.txt', 'text');
  });
  const { console, foreign } = open;
  const edit = async () => {
    press(console, 'e');
    await waitFor(() => expect(console.screen.getState().main.kind).toBe('editor'));
  };
  goToFile(console, 'page.txt');
  await edit();
  press(console, 'x', 'ctrl+q');
  await said(console, 'page.txt is not saved: the draft is kept here, e opens it.');
  await edit();
  const files = foreign.deployments.get(foreign.sample)?.files.get('web');
  expect(files?.delete('page.txt')).toBe(true);
  await console.files.list.refresh();
  press(console, 'y', 'ctrl+q');
  await said(
    console,
    'it is not on the service. The draft is kept here, the next start offers it.',
  );
});
