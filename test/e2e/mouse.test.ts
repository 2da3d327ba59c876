import { expect, test } from 'vitest';
import { launch } from './harness.ts';

/** Private modes of mouse reports, of X10 to pixels, and alternate scroll. */
const mouseModes = /^(?:9|100[0-7]|101[56])$/;

test('the wheel scrolls by alternate scroll, and no other mode of the mouse is ever set', async () => {
  await using session = launch();
  await session.waitFor('GET /health');
  session.kill('SIGTERM');
  await session.exited;
  const changes = [...session.transcript.matchAll(/\[\?([\d;]+)([hlsr])/g)];
  const ofMouse = changes.flatMap(([, modes = '', action = '']) =>
    modes
      .split(';')
      .filter((mode) => mouseModes.test(mode))
      .map((mode) => mode + action),
  );
  expect(ofMouse).toEqual(['1007s', '1007h', '1007r']);
});
