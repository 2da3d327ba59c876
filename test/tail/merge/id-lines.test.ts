import { expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { countsPerService } from '../../../source/tail/merge/id-lines.ts';
import { lineCodec } from '../../servers/log-frames.ts';

function line(id: number, serviceName: string, second: number): LogLine {
  const timestamp = new Date(1_700_000_000_000 + second * 1000).toISOString();
  return { id, serviceName, timestamp, logLine: `line ${id}` };
}

it.each([
  ['the line with the highest id', [line(10, 'a', 1), line(90, 'b', 1)], line(20, 'a', 2)],
  [
    'the line with the next id',
    [line(10, 'a', 1), line(90, 'b', 1), line(95, 'b', 2)],
    line(20, 'a', 2),
  ],
] as const)('a line that is younger than %s of another service', (_, known, late) => {
  const sequence = new Sequence<LogLine>({
    row: toRow,
    ...lineCodec,
    maxLines: 100,
    maxBytes: Number.POSITIVE_INFINITY,
  });
  const put = known.map((each) => ({ place: each.id ?? 0, row: toRow(each) }));
  sequence.apply({ put, drop: [], lean: 'newer', spans: [] });
  expect(countsPerService([toRow(late)], sequence, false)).toBe(true);
});
