import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnmaskedIncident } from '../../../source/store/incident/incident.ts';
import { encodeIncident } from '../../../source/store/incident/encode-incident.ts';
import { maskIncident } from '../../../source/store/incident/mask-incident.ts';
import { smallIncident } from './incidents.ts';
import {
  documentCarriers,
  issuedSecrets,
  keyBodies,
  namedCarriers,
  plainPasswords,
} from './planted-secrets.ts';

const turn = async (): Promise<void> => {};

/** Returns an incident with a text in every field that holds one. */
function filledWith(text: string, document: string, lines: readonly string[]): UnmaskedIncident {
  const { header } = smallIncident();
  const line = { deploymentId: text, serviceName: text, timestamp: text, stream: text };
  return {
    header: {
      ...header,
      baseUrl: `https://api.example.com/${text}`,
      profile: text,
      deploymentId: text,
      deploymentName: text,
    },
    deployment: { id: text, [text]: [{ deep: text }], sdl: document, note: text },
    missing: [text],
    files: [{ service: text, path: text, modifiedAt: text }],
    edits: [
      { at: 1, service: text, path: text, reason: 'saved', before: document, after: text },
      { at: 2, service: text, path: text, reason: 'moved', movedTo: text },
    ],
    restarts: [{ at: 1, isReported: true, verdict: { kind: text, sentence: text } }],
    history: [
      { kind: 'message', at: 1, text, tone: 'bad', times: 1 },
      {
        kind: 'write',
        at: 1,
        operation: text,
        subject: text,
        request: text,
        took: 1,
        outcome: { kind: 'failed', sentence: text, said: text },
      },
    ],
    marks: [{ ...line, logLine: text }],
    lines: lines.map((logLine) => ({ ...line, serviceName: 'api', logLine })),
  };
}

async function textOf(incident: UnmaskedIncident, own: readonly string[] = []): Promise<string> {
  return [...encodeIncident(await maskIncident(incident, own, turn))].join('');
}

test('secrets that one line or document names are in no field of the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      plainPasswords,
      fc.constantFrom(...namedCarriers.slice(0, 20)),
      fc.constantFrom(...documentCarriers),
      fc.boolean(),
      async (secret, carry, carryDocument, isInLog) => {
        const text = `see ${secret} there`;
        const lines = isInLog ? [text, carry(secret)] : [text];
        const document = isInLog ? text : carryDocument(secret);
        expect(await textOf(filledWith(text, document, lines))).not.toContain(secret);
      },
    ),
    { numRuns: 40 },
  );
});

test('keys with a form of their own, and the token of the profile, are in no field', async () => {
  await fc.assert(
    fc.asyncProperty(issuedSecrets, async (secret) => {
      const text = `${secret} and own-token-1x`;
      const written = await textOf(filledWith(text, text, [text]), ['own-token-1x']);
      expect(written).not.toContain(secret);
      expect(written).not.toContain('own-token-1x');
    }),
    { numRuns: 30 },
  );
});

test('a secret that is split between the parts of a cut line is masked', async () => {
  const { lines: _, ...incident } = filledWith('x', 'x', []);
  const part = { serviceName: 'api', stream: 'stdout' };
  const written = await textOf({
    ...incident,
    lines: [
      { ...part, logLine: 'start password=Hunt', partial: true },
      { ...part, serviceName: 'web', logLine: 'between' },
      { ...part, logLine: 'er2x9 end' },
      { ...part, logLine: 'next' },
    ],
  });
  expect(written).not.toContain('Hunt');
  expect(written).not.toContain('er2x9');
  expect(written).toContain('"start password=[secret 1 ********] end"');
  expect(written).toContain('"between"');
  expect(written).toContain('"next"');
});

test('a private key in an edit is masked in the difference, and its lines in the log', async () => {
  await fc.assert(
    fc.asyncProperty(keyBodies, async (body) => {
      const key = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'].join('\n');
      const written = await textOf(filledWith('x', `a: 1\nkey: |\n  ${key}\nb: 2\n`, body));
      for (const line of body) expect(written).not.toContain(line);
    }),
    { numRuns: 20 },
  );
});

test('an edit without secrets is told as it was', async () => {
  const incident = await maskIncident(filledWith('x', 'port: 80\n', ['x']), [], turn);
  expect(incident.edits[0]?.diff).toBe(
    '@@ -1 +1 @@\n-port: 80\n+x\n\\ No newline at end of file\n',
  );
  expect(incident.masked).toEqual({ secrets: 0, counts: [] });
});
