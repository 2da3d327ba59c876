/** Words of the box that shows an incident before it is written. */
import type { Confirmation, ConfirmFact } from '../../store/prompts/confirm.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import type { Incident } from '../../store/incident/incident.ts';
import { momentText } from '../../store/log/times.ts';
import { formatCount } from '../text/amount.ts';

export interface IncidentTarget {
  /** Absolute path. */
  readonly file: string;
  /** Bytes of the packed incident. */
  readonly size: number;
  /** True where a file is replaced. */
  readonly isTaken: boolean;
}

/** Returns the question whether to write an incident. @param now ms since the epoch; the clock of its times. */
export function incidentQuestion(
  incident: Incident,
  { file, size, isTaken }: IncidentTarget,
  now: number,
  utc: boolean,
): Omit<Confirmation, 'answer'> {
  const { header, lines, edits, restarts, marks, history } = incident;
  const [from, to] = [header.from, header.to].map((time) => momentText(Date.parse(time), now, utc));
  const name = header.deploymentName ?? header.deploymentId;
  const counts = [
    countText(lines.length, 'line'),
    countText(edits.length, 'edit'),
    countText(restarts.length, 'restart'),
    countText(marks.length, 'mark'),
    countText(history.length, 'entry', 'entries'),
  ];
  return {
    title: `write an incident file of ${name}?`,
    lines: [
      { label: 'Span', values: [`${from} to ${to}`] },
      { label: 'Holds', values: [counts.join(', ')] },
      { label: 'Masked', values: maskedTexts(incident) },
      ...missingFacts(incident),
      {
        label: 'File',
        values: [file, `${formatBytes(size)}${isTaken ? ', replaces the file' : ''}`],
      },
      'No rule knows every secret. Look through the file before you give it away.',
    ],
    options: [
      { label: 'Cancel', meaning: 'writes nothing' },
      {
        label: 'Write',
        meaning: isTaken ? 'replaces the file' : 'writes the file',
        destroys: isTaken,
      },
    ],
    escape: 'cancel',
  };
}

/** Returns the number of secrets, then the masked places by the rules that found them. */
function maskedTexts({ masked }: Incident): readonly [string, ...string[]] {
  if (masked.secrets === 0) return ['no secret was found'];
  const places = masked.counts.map(
    ({ count, place, rule }) => `${formatCount(count)} in ${place}: ${rule}`,
  );
  return [countText(masked.secrets, 'secret'), ...places];
}

function missingFacts({ missing }: Incident): readonly ConfirmFact[] {
  const [first, ...others] = missing;
  return first === undefined ? [] : [{ label: 'Missing', values: [first, ...others] }];
}

function countText(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
