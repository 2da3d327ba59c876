/** Masks the secrets of an incident: in every text of it, whatever its field. */
import type { LogLine } from '../../contract/logs.ts';
import { unifiedDifference } from '../../editor/unified-diff.ts';
import type { EditTexts, Incident, IncidentDiff, UnmaskedIncident } from './incident.ts';
import { Masker } from './masker.ts';
import { openKey } from './secret-rules.ts';

/** Lines that are read or masked before others get a turn: some milliseconds. */
const linesAtOnce = 1000;

/**
 * Resolves with an incident without the secrets in it.
 * @param own secrets that are known from the start: the token of the profile.
 * @param turn resolves when the next lines may be masked, because a long log takes seconds.
 */
export async function maskIncident(
  raw: UnmaskedIncident,
  own: readonly string[],
  turn: () => Promise<void>,
): Promise<Incident> {
  const masker = new Masker(own);
  const whole = { ...raw, lines: joinedLines(raw.lines) };
  await passOver(whole, masker, turn);
  masker.seal();
  const { facts, ...masked } = await passOver(whole, masker, turn);
  return { ...masked, facts: { ...facts, masked: masker.counts() } };
}

async function passOver(
  { facts, edits, marks, ...incident }: UnmaskedIncident,
  masker: Masker,
  turn: () => Promise<void>,
) {
  const passLine = createLinePass(masker);
  const lines: LogLine[] = [];
  for (const line of incident.lines) {
    lines.push(passLine(line));
    if (lines.length % linesAtOnce === 0) await turn();
  }
  const diffs = edits.map((edit) => passedEdit(edit, masker));
  return { facts: masker.json(facts), diffs, marks: marks.map(passLine), lines };
}

/** Returns the difference of the masked texts of an edit, so that no secret is split between lines. */
function passedEdit({ before, after, ...edit }: EditTexts, masker: Masker): IncidentDiff {
  const { service, path } = masker.json(edit);
  const [shown, changed] = [masker.text(before, 'document'), masker.text(after, 'document')];
  const lines = unifiedDifference(shown, changed).map((line) => `${line.text}\n`);
  return { service, path, text: `--- ${path}\n+++ ${path}\n${lines.join('')}` };
}

function createLinePass(masker: Masker): (line: LogLine) => LogLine {
  // Few names stand in many lines.
  const names = new Map<string, string>();
  const name = (text: string | undefined): string | undefined => {
    if (text === undefined || /^\d[\dTZ:., +-]*$/.test(text)) return text;
    const known = names.get(text) ?? masker.text(text, 'line');
    if (names.size < linesAtOnce) names.set(text, known);
    return known;
  };
  return (line) => ({
    ...line,
    id: typeof line.id === 'string' ? name(line.id) : line.id,
    deploymentId: name(line.deploymentId),
    serviceName: name(line.serviceName),
    timestamp: name(line.timestamp),
    logLine: masker.text(line.logLine, 'line'),
    stream: name(line.stream),
  });
}

/** Characters of the longest joined line, and of the longest key: one of 16,384 bits has 12,500. */
const longestLine = 1024 * 1024;
const longestKey = 16 * 1024;

/** A line that goes on a private key: its end, its material or its headers. */
const keyLine =
  /-----END|[A-Za-z0-9+/=]{16}|^[\s+|-]*[A-Za-z0-9+/=]{1,64}\s*$|^\s*(?:$|Proc-Type:|DEK-Info:|Version:|Comment:)/;

/**
 * Returns lines with the parts of each cut line as one, and so the lines of each private key, at the place
 * of the first: no secret is split between two of them.
 */
function joinedLines(lines: readonly LogLine[]): readonly LogLine[] {
  const joined: LogLine[] = [];
  /** Index of the line that goes on, by its source, and whether it is a key. */
  const open = new Map<string, { readonly at: number; readonly isKey: boolean }>();
  for (const sent of lines) {
    const mayGoOn = sent.partial === true || sent.logLine.includes('-----BEGIN');
    if (open.size === 0 && !mayGoOn) {
      joined.push(sent);
      continue;
    }
    const { partial = false, ...line } = sent;
    const source = `${line.serviceName} ${line.instance} ${line.stream}`;
    const { at = joined.length, isKey = false } = open.get(source) ?? {};
    const before = joined[at];
    const length = (before?.logLine.length ?? 0) + line.logLine.length;
    const goesOn =
      before !== undefined &&
      length < (isKey ? longestKey : longestLine) &&
      (!isKey || keyLine.test(line.logLine));
    const index = goesOn ? at : joined.length;
    const logLine = goesOn ? `${before.logLine}${isKey ? '\n' : ''}${line.logLine}` : line.logLine;
    joined[index] = { ...(goesOn ? before : line), logLine };
    const isOpenKey = goesOn && isKey ? !line.logLine.includes('-----END') : openKey.test(logLine);
    if (partial || isOpenKey) open.set(source, { at: index, isKey: isOpenKey });
    else open.delete(source);
  }
  return joined;
}
