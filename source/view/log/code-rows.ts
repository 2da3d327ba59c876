/** The rows of a line's details for the places in code that it names. */
import type { LogLine } from '../../contract/logs.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import { type CodePlace, codePlaces } from '../../store/log/code/code-places.ts';
import { fileAt } from '../../store/log/code/file-at.ts';
import type { Entry } from '../../tail/arena/entries.ts';
import type { DetailRow } from '../text/detail-rows.ts';
import { column } from '../text/fit.ts';
import { span } from '../text/line.ts';

const placesCache = new WeakMap<Entry<LogLine>, readonly CodePlace[]>();

/** Returns the places in code that a line names; they are looked for once. */
export function codePlacesOf(
  entry: Extract<Entry<LogLine>, { kind: 'line' }>,
): readonly CodePlace[] {
  const places = placesCache.get(entry) ?? codePlaces(entry.line.logLine);
  placesCache.set(entry, places);
  return places;
}

/** Returns the places in files of the service that the line names, in the order of the line. */
export function codeRows(
  places: readonly CodePlace[],
  service: FilesPlace | undefined,
  paths: readonly string[] | undefined,
): readonly DetailRow[] {
  if (service === undefined || paths === undefined) return [];
  const inFiles = new Map<string, { readonly path: string; readonly line: number }>();
  for (const { path, line } of places) {
    const file = fileAt(path, paths);
    if (file !== undefined) inFiles.set(`${file}:${line}`, { path: file, line });
  }
  return [...inFiles].map(([shown, place], index) => ({
    key: `code ${shown}`,
    line: [span(column(index === 0 ? 'code' : '', 12), 'quiet'), span(shown, 'info')],
    value: shown,
    code: { ...service, ...place },
  }));
}
