import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { countsPerService } from '../../../source/tail/merge/id-lines.ts';
import { ShownFields } from '../../../source/tail/merge/shown-fields.ts';
import { lineCodec } from '../../servers/log-frames.ts';

function line(id: number, serviceName: string, second: number): LogLine {
  const timestamp = new Date(1_700_000_000_000 + second * 1000).toISOString();
  return { id, serviceName, timestamp, logLine: `line ${id}` };
}

const fields = new ShownFields();
fields.note('stream', [toRow(line(1, 'a', 0.5))]);

/** Returns whether a line shows, among known ones, that each service counts its ids. */
function shows(known: readonly LogLine[], late: LogLine): boolean {
  const sequence = new Sequence<LogLine>({
    row: toRow,
    ...lineCodec,
    maxLines: 100,
    maxBytes: Number.POSITIVE_INFINITY,
  });
  const put = known.map((each) => ({ place: each.id ?? 0, row: toRow(each) }));
  sequence.apply({ put, drop: [], lean: 'newer', spans: [] });
  return countsPerService([toRow(late)], sequence, fields, false);
}

describe('a line with a lower id than one of another service', () => {
  const late = line(20, 'a', 2);

  it('shows that each service counts its own where it is younger than the highest', () => {
    expect(shows([line(10, 'a', 1), line(90, 'b', 1)], late)).toBe(true);
  });

  it('shows it where it is younger than the next higher', () => {
    expect(shows([line(10, 'a', 1), line(90, 'b', 1), line(95, 'b', 2)], late)).toBe(true);
  });

  it('shows nothing where it is younger only by a finer precision', () => {
    fields.note('http', [toRow({ logLine: 'line', timestamp: '2023-11-14T22:13:22Z' })]);
    expect(shows([line(10, 'a', 1), line(90, 'b', 2)], line(20, 'a', 2.5))).toBe(false);
  });
});
