/** The printed forms of an incident: what was written, and what is masked in it. */
import { formatBytes } from '../../store/files/file-size.ts';
import type { Incident } from '../../store/incident/incident.ts';
import type { MaskedCounts } from '../../store/incident/masker.ts';
import type { RecordView } from '../output/record-view.ts';

export interface WrittenIncident {
  /** Absolute path. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  readonly incident: Incident;
}

export const writtenView: RecordView<WrittenIncident> = {
  columns: [
    { title: 'FILE', value: ({ file }) => file },
    { title: 'SIZE', value: ({ size }) => String(size), shown: ({ size }) => formatBytes(size) },
    { title: 'LINES', value: ({ incident }) => String(incident.lines.length) },
    { title: 'EDITS', value: ({ incident }) => String(incident.edits.length) },
    { title: 'MASKED', value: ({ incident }) => `${incident.masked.secrets} secrets` },
    { title: 'MISSING', value: ({ incident }) => String(incident.missing.length) },
  ],
  fields: ['file', 'size', 'from', 'to', 'lines', 'edits', 'restarts', 'masked', 'missing'],
  json: ({ file, size, incident }) => ({
    file,
    size,
    from: incident.header.from,
    to: incident.header.to,
    lines: incident.lines.length,
    edits: incident.edits.length,
    restarts: incident.restarts.length,
    masked: incident.masked,
    missing: incident.missing,
  }),
  id: ({ file }) => file,
};

export const maskedView: RecordView<MaskedCounts['counts'][number]> = {
  columns: [
    { title: 'MASKED', value: ({ count }) => String(count), align: 'right' },
    { title: 'IN', value: ({ place }) => place },
    { title: 'FOUND BY', value: ({ rule }) => rule },
  ],
  fields: ['count', 'place', 'rule'],
  json: (count) => ({ ...count }),
  id: ({ rule }) => rule,
};
