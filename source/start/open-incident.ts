/** Opens an incident file in the console, without a service. */
import path from 'node:path';
import type { Configured } from '../config/environment.ts';
import { readIncidentFile } from '../disk/incident-file.ts';
import type { HistoryEntry } from '../store/history/history.ts';
import type { IncidentFacts } from '../store/incident/incident.ts';
import { createWriteAccess } from '../store/deck/write-access.ts';
import type { FirstMarks } from '../store/log/stored/stored-view.ts';
import { dayText, timeOfDayText } from '../store/log/times.ts';
import { createIncidentClient, incidentRefusal } from './incident-client.ts';
import { machineClock } from './machine-clock.ts';
import type { Connected } from './session.ts';

/** An incident file as a service that the console is connected to. */
export interface OpenedIncident {
  readonly connected: Connected;
  readonly history: readonly HistoryEntry[];
  readonly marks: FirstMarks;
}

/** Resolves with the incident in a file, or why it can't be shown. */
export async function openIncident(file: string): Promise<Configured<OpenedIncident>> {
  const read = await readIncidentFile(file);
  if (!read.ok) return read;
  const incident = read.value;
  const { baseUrl, deploymentId, missing } = incident.facts;
  const profile = {
    name: 'INCIDENT',
    production: false,
    colour: 'yellow',
    host: `file, ${spanText(incident.facts, machineClock.now())}`,
    wallet: undefined,
    tokenSource: '',
  } as const;
  return {
    ok: true,
    value: {
      connected: {
        service: {
          baseUrl,
          token: '',
          streamAuth: 'header',
          profile,
          readOnly: true,
          stateKey: `incident ${path.resolve(file)}`,
          notice: noticeOf(missing),
          leave() {},
        },
        client: createIncidentClient(incident, () => machineClock.now()),
        access: createWriteAccess(profile, true, incidentRefusal),
      },
      history: historyOf(incident.facts),
      marks: { deploymentId, lines: incident.marks },
    },
  };
}

/** Returns the span of an incident in local time: `12:01 to 12:31`, with the day where it is not today. */
export function spanText(facts: Pick<IncidentFacts, 'from' | 'to'>, now: number): string {
  const [from, to] = [Date.parse(facts.from), Date.parse(facts.to)];
  const textOf = (at: number, today: number): string => {
    const time = timeOfDayText(at, false).slice(0, 5);
    const day = dayText(at, false);
    return day === dayText(today, false) ? time : `${day} ${time}`;
  };
  return `${textOf(from, now)} to ${textOf(to, from)}`;
}

function noticeOf({ length: count }: readonly string[]): string {
  if (count === 0)
    return 'This incident file has everything that hostdeck knew of. :history tells more.';
  const things = count === 1 ? '1 thing is' : `${count} things are`;
  return `${things} missing in this incident file. :history lists what it lacks.`;
}

/** Returns the events of an incident, oldest first, then entries about the file itself. */
function historyOf(facts: IncidentFacts): readonly HistoryEntry[] {
  const { hostdeck, baseUrl, profile, timeZone, masked, missing, events } = facts;
  const origin = `This file was written by hostdeck ${hostdeck} from ${baseUrl} (${profile}), time zone ${timeZone}.`;
  const secrets = `Masked secrets: ${masked.secrets}.`;
  const about = [origin, secrets, ...missing.map((sentence) => `Missing: ${sentence}`)];
  const at = Date.parse(facts.madeAt);
  return [...events, ...about.map((text) => ({ at, text }))].map((event, index) => {
    const tone = index < events.length + 2 ? 'plain' : 'bad';
    return { kind: 'message', id: index + 1, at: event.at, text: event.text, tone, times: 1 };
  });
}
