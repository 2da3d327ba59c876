import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeRoff, manualPage } from '../../../source/commands/man/manual-page.ts';
import { commandTable } from '../../../source/commands/table/command-table.ts';
import { commandLineOf } from '../../../source/commands/table/described-command.ts';

const page = manualPage(commandTable, { version: '1.2.3', date: '2026-11-25' });

it('the page names every command and every flag', () => {
  for (const command of commandTable) {
    expect(page).toContain(escapeRoff(commandLineOf(command)));
    for (const name of Object.keys(command.flags)) expect(page).toContain(escapeRoff(name));
  }
});

it('the page has the sections of man-pages(7) and requests that man(7) knows', () => {
  const requests = page.split('\n').filter((line) => /^[.']/.test(line));
  const known = /^\.(?:\\"|TH|SH|SS|B|br|PP|TP|RS|RE|nf|fi)(?: |$)/;
  expect(requests.filter((line) => !known.test(line))).toEqual([]);
  const sections = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, title]) => title);
  expect(sections).toEqual([
    'NAME',
    'SYNOPSIS',
    'DESCRIPTION',
    'OPTIONS',
    'COMMANDS',
    'SHARED FLAGS',
    'ENVIRONMENT',
    'FILES',
    'EXIT STATUS',
  ]);
  expect(page).not.toMatch(/^\s*$\n./m);
  expect(page).toContain(escapeRoff('--base-url URL'));
});

it('no text becomes an escape or a request of roff', () => {
  // A command without a summary would have no paragraph.
  const text = fc
    .string({ minLength: 1 })
    .map((each) => each.replaceAll(/\p{Cc}/gu, ''))
    .filter((each) => each.trim() !== '');
  fc.assert(
    fc.property(text, (summary) => {
      const command = { kind: 'local', path: ['x'], summary, args: [], flags: {} } as const;
      const made = manualPage([command], { version: '1', date: '' });
      const at = made.indexOf('.PP\n', made.indexOf('.SS')) + '.PP\n'.length;
      const paragraph = made.slice(at, made.indexOf('\n.PP\n', at));
      for (const line of paragraph.split('\n')) expect(line).not.toMatch(/^[.']/);
      expect(paragraph.replaceAll(/\\(?:e|-|&|\((?:aq|ga|ha|ti))/g, '')).not.toContain('\\');
    }),
  );
});
