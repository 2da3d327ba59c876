/** Masks the secrets of an incident: in every text of it, whatever its field. */
import type { LogLine } from '../../contract/logs.ts';
import { unifiedDifference } from '../../editor/unified-diff.ts';
import type { EditTexts, Incident, IncidentEdit, UnmaskedIncident } from './incident.ts';
import { joinPartialLines } from './partial-lines.ts';
import { createMasker, type MaskedPlace, type Masker, type TextPlace } from './masker.ts';

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
  const masker = createMasker(own);
  const whole = { ...raw, lines: joinPartialLines(raw.lines) };
  // Both passes read the same texts in the same order.
  await passOver(whole, turn, {
    text: (text, place) => {
      masker.learn(text, place);
      return text;
    },
    json: (value, place) => {
      masker.learnJson(value, place);
      return value;
    },
  });
  masker.seal();
  const masked = await passOver(whole, turn, {
    text: (text, place) => masker.mask(text, place),
    json: (value, place) => masker.maskJson(value, place),
  });
  return { ...masked, masked: masker.counts() };
}

interface Pass {
  readonly text: Masker['mask'];
  readonly json: Masker['maskJson'];
}

async function passOver(
  incident: UnmaskedIncident,
  turn: () => Promise<void>,
  pass: Pass,
): Promise<Omit<Incident, 'masked'>> {
  const { text, json } = pass;
  const fields = <T extends object>(value: T, place: MaskedPlace): T => json(value, place) as T;
  const { header, deployment } = incident;
  const others = {
    header: { ...fields(header, 'service'), baseUrl: text(header.baseUrl, inLine('service')) },
    deployment: deployment === undefined ? undefined : fields(deployment, 'deployment'),
    missing: incident.missing.map((sentence) => text(sentence, inLine('service'))),
    files: incident.files.map((file) => fields(file, 'deployment')),
    edits: incident.edits.map((edit) => passedEdit(edit, pass)),
    restarts: incident.restarts.map((restart) => fields(restart, 'history')),
    history: incident.history.map((entry) => fields(entry, 'history')),
    marks: incident.marks.map((line) => passedLine(line, inLine('marks'), text)),
  };
  const lines: LogLine[] = [];
  for (const line of incident.lines) {
    const source = `${line.serviceName ?? ''} ${line.instance ?? ''} ${line.stream ?? ''}`;
    lines.push(passedLine(line, { ...inLine('log'), source }, text));
    if (lines.length % linesAtOnce === 0) await turn();
  }
  return { ...others, lines };
}

/** Returns an edit with the difference of its masked texts, so that no secret is split between lines. */
function passedEdit({ before, after, ...edit }: EditTexts, { text, json }: Pass): IncidentEdit {
  const [shownBefore, shownAfter] = [before, after].map((one) =>
    one === undefined ? undefined : text(one, { place: 'edits', form: 'document' }),
  );
  const passed = json(edit, 'edits') as typeof edit;
  if (shownBefore === undefined || shownAfter === undefined) return passed;
  const diff = unifiedDifference(shownBefore, shownAfter).map((line) => `${line.text}\n`);
  return { ...passed, diff: diff.join('') };
}

function inLine(place: MaskedPlace): TextPlace {
  return { place, form: 'line' };
}

function passedLine(line: LogLine, place: TextPlace, text: Pass['text']): LogLine {
  const { source: _, ...field } = place;
  const { deploymentId, serviceName, timestamp, stream } = line;
  return {
    ...line,
    logLine: text(line.logLine, place),
    ...(deploymentId !== undefined && { deploymentId: text(deploymentId, field) }),
    ...(serviceName !== undefined && { serviceName: text(serviceName, field) }),
    ...(timestamp !== undefined && { timestamp: text(timestamp, field) }),
    ...(stream !== undefined && { stream: text(stream, field) }),
  };
}
