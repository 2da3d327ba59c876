import { expect, test } from 'vitest';
import { incidentQuestion } from '../../../source/view/incident/facts.ts';
import { smallIncident } from '../../store/incident/incidents.ts';

const now = Date.parse('2026-11-26T04:10:00Z');

test('the box names span, counts, masked secrets by place, missing things and the file', () => {
  const incident = smallIncident({
    masked: {
      secrets: 2,
      counts: [
        { rule: 'secret name', place: 'log', count: 1200 },
        { rule: 'cookie', place: 'edits', count: 1 },
      ],
    },
    missing: ['No files.', 'A gap.'],
  });
  const target = { file: '/x/shop.incident.gz', size: 1500, isTaken: false };
  const { title, lines, options } = incidentQuestion(incident, target, now, true);
  expect(title).toBe('write an incident file of shop?');
  expect(lines).toEqual([
    { label: 'Span', values: ['03:30:00 UTC to 04:00:00 UTC'] },
    { label: 'Holds', values: ['1 line, 0 edits, 0 restarts, 0 marks, 0 entries'] },
    { label: 'Masked', values: ['2 secrets', '1,200 in log: secret name', '1 in edits: cookie'] },
    { label: 'Missing', values: ['No files.', 'A gap.'] },
    { label: 'File', values: ['/x/shop.incident.gz', '1.5 kB'] },
    'No rule knows every secret. Look through the file before you give it away.',
  ]);
  expect(options.map(({ label }) => label)).toEqual(['Cancel', 'Write']);
});

test('the box says that nothing is masked, and that a file is replaced', () => {
  const target = { file: '/x/a', size: 10, isTaken: true };
  const { lines, options } = incidentQuestion(smallIncident(), target, now, true);
  expect(lines).toContainEqual({ label: 'Masked', values: ['no secret was found'] });
  expect(lines).toContainEqual({ label: 'File', values: ['/x/a', '10 B, replaces the file'] });
  expect(options.at(-1)).toMatchObject({ label: 'Write', destroys: true });
});
