/** Masks the secrets of an incident: in every text of it, whatever its field. */
import type { LogLine } from '../../contract/logs.ts';
import { unifiedDifference } from '../../editor/unified-diff.ts';
import type { Incident, UnmaskedIncident } from './incident.ts';
import { joinPartialLines } from './partial-lines.ts';
import { createMasker, type MaskedPlace, type Masker, type TextPlace } from './masker.ts';

/**
 * Returns an incident without the secrets in it.
 * @param own secrets that are known from the start: the token of the profile.
 */
export function maskIncident(raw: UnmaskedIncident, own: readonly string[]): Incident {
  const masker = createMasker(own);
  const whole = { ...raw, lines: joinPartialLines(raw.lines) };
  // Both passes read the same texts in the same order.
  passOver(whole, {
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
  const masked = passOver(whole, {
    text: (text, place) => masker.mask(text, place),
    json: (value, place) => masker.maskJson(value, place),
  });
  return { ...masked, masked: masker.counts() };
}

interface Pass {
  readonly text: Masker['mask'];
  readonly json: Masker['maskJson'];
}

function passOver(incident: UnmaskedIncident, { text, json }: Pass): Omit<Incident, 'masked'> {
  const fields = <T extends object>(value: T, place: MaskedPlace): T => json(value, place) as T;
  const document = (value: string): string => text(value, { place: 'edits', form: 'document' });
  const { header, deployment } = incident;
  return {
    header: { ...fields(header, 'service'), baseUrl: text(header.baseUrl, inLine('service')) },
    deployment: deployment === undefined ? undefined : fields(deployment, 'deployment'),
    missing: incident.missing.map((sentence) => text(sentence, inLine('service'))),
    files: incident.files.map((file) => fields(file, 'deployment')),
    edits: incident.edits.map(({ before, after, ...edit }) => {
      const texts = [before, after].map((one) => (one === undefined ? undefined : document(one)));
      const [shownBefore, shownAfter] = texts;
      const diff =
        shownBefore === undefined || shownAfter === undefined
          ? undefined
          : unifiedDifference(shownBefore, shownAfter).map((line) => `${line.text}\n`);
      return { ...fields(edit, 'edits'), diff: diff?.join('') };
    }),
    restarts: incident.restarts.map((restart) => fields(restart, 'history')),
    history: incident.history.map((entry) => fields(entry, 'history')),
    marks: incident.marks.map((line) => maskedLine(line, { place: 'marks', form: 'line' }, text)),
    lines: incident.lines.map((line) => {
      const source = `${line.serviceName ?? ''} ${line.instance ?? ''} ${line.stream ?? ''}`;
      return maskedLine(line, { place: 'log', form: 'line', source }, text);
    }),
  };
}

function inLine(place: MaskedPlace): TextPlace {
  return { place, form: 'line' };
}

function maskedLine(line: LogLine, place: TextPlace, text: Pass['text']): LogLine {
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
