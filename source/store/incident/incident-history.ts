/** Tells in the history what an incident file knows besides the log: edits, restarts, marks, and what it lacks. */
import type { HistoryEntry } from '../history/history.ts';
import type { Incident, IncidentEdit, IncidentHistory, IncidentRestart } from './incident.ts';

/** Returns the entries of an incident, oldest first; those about the file itself come last. */
export function incidentHistory(incident: Incident): readonly HistoryEntry[] {
  const { header, masked } = incident;
  const name = header.deploymentName ?? header.deploymentId;
  const events = [
    ...incident.history,
    ...incident.edits.map((edit) => message(edit.at, editSentence(edit))),
    ...incident.restarts.map((restart) =>
      message(restart.at - header.clockOffset, restartSentence(name, restart)),
    ),
    ...incident.marks.map((line) =>
      message(
        Date.parse(line.timestamp ?? header.to),
        `Marked: ${[line.timestamp, line.serviceName, line.logLine].filter(Boolean).join(' ')}`,
      ),
    ),
  ].toSorted((left, right) => left.at - right.at);
  const madeAt = Date.parse(header.madeAt);
  const origin = `This file was written by hostdeck ${header.hostdeck} from ${header.baseUrl} (${header.profile}), time zone ${header.timeZone}.`;
  const about = [
    message(madeAt, origin),
    message(
      madeAt,
      `${masked.secrets} ${masked.secrets === 1 ? 'secret is' : 'secrets are'} masked.`,
    ),
    ...incident.missing.map((sentence) => message(madeAt, `Missing: ${sentence}`, 'bad')),
  ];
  return [...events, ...about].map((entry, index) => Object.assign({ id: index + 1 }, entry));
}

type Message = Extract<IncidentHistory, { kind: 'message' }>;

function message(at: number, text: string, tone: Message['tone'] = 'plain'): Message {
  return { kind: 'message', at: Number.isFinite(at) ? at : 0, text, tone, times: 1 };
}

const verbs: Readonly<Record<IncidentEdit['reason'], string>> = {
  deleted: 'was deleted',
  replaced: 'was replaced',
  saved: 'was saved',
  moved: 'was moved',
  discarded: 'was discarded',
};

function editSentence({ service, path, reason, movedTo, diff }: IncidentEdit): string {
  const to = movedTo === undefined ? '' : ` to ${movedTo}`;
  return `${service} ${path} ${verbs[reason]}${to}${diff === undefined ? '' : ` (${changeCounts(diff)})`}.`;
}

/** Returns the lines that a unified difference adds and removes, as `+2 -1`. */
function changeCounts(diff: string): string {
  const count = (sign: string): number =>
    diff.split('\n').filter((line) => line.startsWith(sign)).length;
  return `+${count('+')} -${count('-')}`;
}

function restartSentence(name: string, { isReported, verdict }: IncidentRestart): string {
  const restart = isReported ? `${name} restarted.` : `A restart of ${name} was requested.`;
  return verdict === undefined ? restart : `${restart} ${verdict.sentence}`;
}
