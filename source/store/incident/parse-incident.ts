/** Reads an incident from its lines. A file comes from anywhere, so nothing in it is trusted. */
import type { LogLine } from '../../contract/logs.ts';
import { incidentFormat } from './encode-incident.ts';
import {
  type Incident,
  type IncidentEdit,
  type IncidentFile,
  type IncidentHeader,
  type IncidentHistory,
  type IncidentRestart,
  incidentVersion,
} from './incident.ts';
import { type Fields, fieldsOf, textField, wholeField } from './fields.ts';
import type { MaskedCounts } from './masker.ts';
import {
  readEdit,
  readFile,
  readHeader,
  readHistory,
  readLine,
  readMasked,
  readRestart,
} from './read-records.ts';

export interface IncidentProblem {
  readonly sentence: string;
  readonly next: string;
}

export type ParsedIncident =
  | { readonly ok: true; readonly incident: Incident }
  | { readonly ok: false; readonly problem: IncidentProblem };

/** Records of the largest file that is read. */
const mostRecords = 1_000_000;

interface Lists {
  readonly missing: string[];
  readonly files: IncidentFile[];
  readonly edits: IncidentEdit[];
  readonly restarts: IncidentRestart[];
  readonly history: IncidentHistory[];
  readonly marks: LogLine[];
  readonly lines: LogLine[];
}

/** Returns the incident of some lines, or a sentence about why they are none. */
export function parseIncident(lines: Iterable<string>): ParsedIncident {
  const lists: Lists = {
    missing: [],
    files: [],
    edits: [],
    restarts: [],
    history: [],
    marks: [],
    lines: [],
  };
  let header: IncidentHeader | undefined;
  let deployment: Fields | undefined;
  let masked: MaskedCounts = { secrets: 0, counts: [] };
  let hasEnd = false;
  let count = 0;
  for (const line of lines) {
    count += 1;
    const fields = parsedFields(line);
    if (count === 1) {
      const problem = headerProblem(fields);
      if (problem !== undefined) return { ok: false, problem };
      header = readHeader(fields ?? {});
      if (header === undefined) return damaged('its first record');
      continue;
    }
    if (hasEnd || fields === undefined || count > mostRecords) return damaged(`record ${count}`);
    const { kind } = fields;
    if (kind === 'end') hasEnd = true;
    else if (kind === 'masked') masked = readMasked(fields);
    else if (kind === 'deployment') deployment = fieldsOf(fields['record']);
    else if (!addRecord(lists, fields)) return damaged(`record ${count}`);
  }
  if (header === undefined) return { ok: false, problem: noIncident };
  if (!hasEnd) return { ok: false, problem: cutProblem };
  return { ok: true, incident: { header, deployment, masked, ...lists } };
}

/** Adds a record to the list of its kind. Returns false where it can't be read; unknown kinds are passed over. */
function addRecord(lists: Lists, fields: Fields): boolean {
  const add = <T>(list: T[], value: T | undefined): boolean => {
    if (value !== undefined) list.push(value);
    return value !== undefined;
  };
  switch (fields['kind']) {
    case 'missing':
      return add(lists.missing, textField(fields['sentence']));
    case 'file':
      return add(lists.files, readFile(fields));
    case 'edit':
      return add(lists.edits, readEdit(fields));
    case 'restart':
      return add(lists.restarts, readRestart(fields));
    case 'history':
      return add(lists.history, readHistory(fieldsOf(fields['entry']) ?? {}));
    case 'mark':
      return add(lists.marks, readLine(fields));
    case 'line':
      return add(lists.lines, readLine(fields));
    default:
      return typeof fields['kind'] === 'string';
  }
}

function headerProblem(fields: Fields | undefined): IncidentProblem | undefined {
  if (fields?.['kind'] !== 'incident' || fields['format'] !== incidentFormat) return noIncident;
  const version = wholeField(fields['version']);
  if (version === undefined || version < 1) return noIncident;
  if (version <= incidentVersion) return undefined;
  return {
    sentence: `This file has version ${version} of the format; this hostdeck reads version ${incidentVersion}.`,
    next: 'Open it with a newer hostdeck.',
  };
}

const noIncident: IncidentProblem = {
  sentence: "This isn't an incident file.",
  next: 'hostdeck incident NAME --output FILE writes one.',
};

const cutProblem: IncidentProblem = {
  sentence: 'This incident file is cut: its end is missing.',
  next: 'Copy it again from where it was written.',
};

function damaged(place: string): ParsedIncident {
  const sentence = `This incident file is damaged: ${place} can't be read.`;
  return { ok: false, problem: { sentence, next: cutProblem.next } };
}

function parsedFields(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}
