import { expect, it } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import { findKeptLine, keptLine } from '../../../../source/store/log/stored/stored-line.ts';
import { listedEntries } from '../../../support/listed-entries.ts';

const line: LogLine = {
  id: 7,
  timestamp: '2026-11-26T12:00:00Z',
  serviceName: 'web',
  deploymentId: 'shop',
  logLine: 'ready',
};

it.each<Partial<LogLine>>([
  { id: 8 },
  { timestamp: '2026-11-26T12:00:01Z' },
  { serviceName: 'db' },
  { deploymentId: 'blog' },
  { logLine: 'ready.' },
])('a stored line is found again beside one that differs in %o', (change) => {
  const entries = listedEntries([{ ...line, ...change }, line]);
  expect(findKeptLine(entries, keptLine(line))?.line).toBe(line);
});
