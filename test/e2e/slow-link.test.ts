import { expect, test } from 'vitest';
import { SlowLink } from '../servers/slow-link.ts';
import { launchOnForeign } from './foreign-console.ts';
import { waitFor } from '../support/wait-for.ts';

const link = { rate: 20_000, roundTrip: 150, buffer: 65_536 };

test('a link hands on everything in order, and takes no more than fits it', async () => {
  const events: string[] = [];
  let shown = '';
  const slow = new SlowLink(
    { rate: 100_000, roundTrip: 10, buffer: 1000 },
    {
      pause: () => events.push('pause'),
      resume: () => events.push('resume'),
      show: (data) => {
        shown += data;
      },
      type: (data) => events.push(data),
    },
  );
  const sent = Array.from({ length: 300 }, (_, index) => `${index} äöü 日本\n`).join('');
  slow.up('first');
  slow.up('second');
  slow.down(sent);
  expect(events).toEqual(['pause']);
  await waitFor(() => expect(shown).toBe(sent));
  expect(events.toSorted()).toEqual(['first', 'pause', 'resume', 'second']);
  expect(events.indexOf('first')).toBeLessThan(events.indexOf('second'));
});

test('on a slow link row 1 says so, the log moves, and keys are answered in a flood', async () => {
  await using deck = await launchOnForeign({ cols: 120, rows: 36, link });
  const { session, foreign } = deck;
  await session.waitFor('[1 Deployments 1]');
  let line = 0;
  const flood = setInterval(() => {
    for (let count = 0; count < 50; count += 1) {
      line += 1;
      foreign.append(foreign.sample, 'web', `line ${line}. ${'x'.repeat(line % 80)}`);
    }
  }, 10);
  await session.waitFor('slow link');
  await session.waitFor(/line \d{4,}\./);
  const before = session.transcript.length;
  session.press('2');
  await session.waitFor('[2 Files');
  // Unpaced, the flood would have filled the link's buffer long before.
  expect(session.transcript.length - before).toBeLessThan(link.buffer / 4);
  session.press('?');
  await session.waitFor('Help: Files');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('Help: Files'));
  session.resize(80, 24);
  await session.waitFor(/^.*\n.*\[2 Files/);
  clearInterval(flood);
  session.press('4');
  await session.waitFor(`line ${line}.`);
  const settled = session.screen;
  session.press('ctrl+l');
  await session.waitFor((now) => now.transcript.lastIndexOf('\x1b[r') > before);
  await session.waitFor((now) => now.screen.includes(`line ${line}.`));
  expect(withoutStatus(session.screen)).toBe(withoutStatus(settled));
});

/** The rate in row 1 ticks by itself. */
function withoutStatus(screen: string): string {
  return screen.split('\n').slice(1).join('\n');
}
