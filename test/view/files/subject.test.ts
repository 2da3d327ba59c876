import { expect, test } from 'vitest';
import { openConsole } from '../open-deck.ts';
import { press } from '../press-keys.ts';

test.each(['e', 'D', 'ctrl+o'])('%s where the filter leaves no file says so', async (key) => {
  await using open = await openConsole();
  const { screen } = open.console;
  screen.setState(({ filters }) => ({ focus: 'files', filters: { ...filters, files: 'zzz' } }));
  press(open.console, key);
  expect(screen.getState().message?.text).toBe('There is no file here.');
});
