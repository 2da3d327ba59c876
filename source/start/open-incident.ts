/** Opens an incident file in the console, without a service. */
import path from 'node:path';
import type { Configured } from '../config/environment.ts';
import { readIncidentFile } from '../disk/incident-file.ts';
import type { HistoryEntry } from '../store/history/history.ts';
import type { Incident } from '../store/incident/incident.ts';
import { incidentHistory } from '../store/incident/incident-history.ts';
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
  const { incident } = read;
  const profile = {
    name: 'INCIDENT',
    production: false,
    colour: 'yellow',
    host: `file, ${spanText(incident, machineClock.now())}`,
    wallet: undefined,
    tokenSource: '',
  } as const;
  return {
    ok: true,
    value: {
      connected: {
        service: {
          baseUrl: incident.header.baseUrl,
          token: '',
          streamAuth: 'header',
          profile,
          readOnly: true,
          stateKey: `incident ${path.resolve(file)}`,
          notice: noticeOf(incident),
          leave() {},
        },
        client: createIncidentClient(incident, () => machineClock.now()),
        access: createWriteAccess(profile, true, incidentRefusal),
      },
      history: incidentHistory(incident),
      marks: { deploymentId: incident.header.deploymentId, lines: incident.marks },
    },
  };
}

/** Returns the span of an incident in local time: `12:01 to 12:31`, with the day where it is not today. */
export function spanText({ header }: Pick<Incident, 'header'>, now: number): string {
  const [from, to] = [Date.parse(header.from), Date.parse(header.to)];
  const textOf = (at: number, today: number): string => {
    const time = timeOfDayText(at, false).slice(0, 5);
    const day = dayText(at, false);
    return day === dayText(today, false) ? time : `${day} ${time}`;
  };
  return `${textOf(from, now)} to ${textOf(to, from)}`;
}

function noticeOf({ missing }: Incident): string {
  const count = missing.length;
  if (count === 0)
    return 'This incident file has everything that hostdeck knew of. :history tells more.';
  const things = count === 1 ? '1 thing is' : `${count} things are`;
  return `${things} missing in this incident file. :history lists what it lacks.`;
}
