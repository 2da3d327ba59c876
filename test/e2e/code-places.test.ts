import { expect, test } from 'vitest';
import { openDesk } from './edit-console.ts';

test('Enter on a line with a place in code offers its file, and again opens it there', async () => {
  const desk = await openDesk();
  const { foreign } = desk;
  const text = Array.from({ length: 30 }, (_, index) => `const line${index + 1} = 0;`).join('\n');
  foreign.put(foreign.sample, 'web', 'lib/cart.js', text);
  foreign.append(foreign.sample, 'web', '    at add (/app/lib/cart.js:12:5)');
  await using session = await desk.start({ cols: 100, rows: 30 });
  await session.waitFor('/app/lib/cart.js:12:5');
  session.press('enter');
  await session.waitFor(/^>code {8}lib\/cart\.js:12$/m);
  expect(session.screen).toContain('Enter edit code');
  session.press('enter');
  await session.waitFor(/EDIT lib\/cart\.js .*Ln 12 Col 1/);
  session.press('ctrl+q');

  // A line without one has its details alone.
  await session.waitFor((now) => !now.screen.includes('EDIT'));
  foreign.append(foreign.sample, 'web', 'connect ECONNREFUSED 127.0.0.1:8080');
  session.press('q', 'G');
  await session.waitFor('127.0.0.1:8080');
  session.press('enter');
  await session.waitFor('deployment  bazaar');
  expect(session.screen).not.toContain('edit code');
});

test('a file that was saved since the line was written is said to differ', async () => {
  const desk = await openDesk();
  const { foreign } = desk;
  foreign.put(foreign.sample, 'web', 'lib/cart.js', 'one\ntwo\nthree\n');
  foreign.append(foreign.sample, 'web', 'TypeError at /app/lib/cart.js:2:1');
  await using session = await desk.start({
    cols: 100,
    rows: 30,
    env: { HOSTDECK_RESTART_DELAY: 'off' },
  });
  await session.waitFor('/app/lib/cart.js:2:1');
  session.press('enter');
  await session.waitFor('lib/cart.js:2');
  await session.waitFor('edit code');
  session.press('enter');
  await session.waitFor('EDIT');
  session.type('#');
  session.press('ctrl+s');
  await session.waitFor('Saved');
  session.press('ctrl+q');
  await session.waitFor((now) => !now.screen.includes('EDIT'));
  session.press('q', 'G', 'enter');
  await session.waitFor('edit code');
  session.press('enter');
  await session.waitFor('cart.js was saved after the start that wrote this line.');
});

test('Enter on the head of a trace offers its frames, and a file that others saved is said to differ', async () => {
  const desk = await openDesk();
  const { foreign } = desk;
  foreign.append(foreign.sample, 'web', 'Error: no price');
  foreign.append(foreign.sample, 'web', '    at next (/app/node_modules/koa/app.js:3:1)');
  foreign.append(foreign.sample, 'web', '    at add (/app/lib/cart.js:2:1)');
  foreign.put(foreign.sample, 'web', 'lib/cart.js', 'one\ntwo\nthree\n');
  foreign.answerWith(`/api/v1/deployments/${foreign.sample}/services/web/files`, {
    files: [{ path: 'lib/cart.js', modifiedAt: '2100-01-01T00:00:00Z' }],
  });
  await using session = await desk.start({ cols: 100, rows: 30 });
  await session.waitFor('/app/lib/cart.js:2:1');
  session.press('up', 'up', 'enter');
  await session.waitFor(/^>code {8}lib\/cart\.js:2$/m);
  session.press('enter');
  await session.waitFor('cart.js was saved after the start that wrote this line.');
});
