import { expect, test } from 'vitest';
import { incidentHistory } from '../../../source/store/incident/incident-history.ts';
import { smallIncident } from './incidents.ts';

test('the history of an incident tells its edits, restarts and marks in order, then what it lacks', () => {
  const at = Date.parse('2026-11-26T03:40:00Z');
  const entries = incidentHistory(
    smallIncident({
      edits: [
        { at, service: 'web', path: 'a', reason: 'saved', diff: '@@ -1 +1,2 @@\n-x\n+y\n+z\n' },
        { at: at - 2, service: 'web', path: 'b', reason: 'moved', movedTo: 'c' },
      ],
      restarts: [
        { at: at + 1, isReported: true, verdict: { kind: 'worse', sentence: 'shop is worse.' } },
      ],
      marks: [{ timestamp: '2026-11-26T03:39:00Z', serviceName: 'web', logLine: 'boom' }],
      missing: ['No files.'],
    }),
  );
  expect(entries.map((entry) => entry.kind === 'message' && entry.text)).toEqual([
    'Marked: 2026-11-26T03:39:00Z web boom',
    'web b was moved to c.',
    'web a was saved (+2 -1).',
    'shop restarted. shop is worse.',
    'This file was written by hostdeck 0.1.0 from https://api.example.com/v9 (prod), time zone UTC.',
    '0 secrets are masked.',
    'Missing: No files.',
  ]);
  expect(entries.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});
