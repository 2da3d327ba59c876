import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UnmaskedIncident } from '../../../source/store/incident/incident.ts';
import { incidentReadme } from '../../../source/store/incident/incident-readme.ts';
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
  const { facts } = smallIncident();
  const line = { deploymentId: text, serviceName: text, timestamp: text, stream: text };
  return {
    facts: {
      ...facts,
      baseUrl: `https://api.example.com/${text}`,
      profile: text,
      deploymentId: text,
      deploymentName: text,
      deployment: { id: text, [text]: [{ deep: text }], sdl: document, note: text },
      files: { [text]: [{ path: text, modifiedAt: text }] },
      events: [{ at: 1, text }],
      missing: [text],
    },
    edits: [{ service: text, path: text, before: document, after: text }],
    marks: [{ ...line, logLine: text }],
    lines: lines.map((logLine) => ({ ...line, serviceName: 'api', logLine })),
  };
}

/** Returns all that the file of an incident would hold. */
async function textOf(incident: UnmaskedIncident, own: readonly string[] = []): Promise<string> {
  const masked = await maskIncident(incident, own, turn);
  return `${JSON.stringify(masked)}\n${incidentReadme(masked)}`;
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

test('a private key in an edit, or over several lines of a log, is masked', async () => {
  await fc.assert(
    fc.asyncProperty(
      keyBodies,
      fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH '),
      async (body, kind) => {
        const key = [
          `-----BEGIN ${kind}PRIVATE KEY-----`,
          ...body,
          'Ab1=',
          `-----END ${kind}PRIVATE KEY-----`,
        ];
        const ofKey = filledWith('x', `a: 1\nkey: |\n  ${key.join('\n')}\nb: 2\n`, body);
        const logged = [...key, 'after'].flatMap((logLine) => [
          { serviceName: 'api', logLine },
          { serviceName: 'web', logLine: `GET /${logLine.length} 200` },
        ]);
        for (const lines of [ofKey.lines, logged]) {
          const written = await textOf({ ...ofKey, lines });
          for (const secret of [...body, 'Ab1=']) expect(written).not.toContain(secret);
        }
        const { lines } = await maskIncident({ ...ofKey, lines: logged }, [], turn);
        expect(lines.map(({ logLine }) => logLine)).toEqual(
          expect.arrayContaining(['after', 'GET /5 200']),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('a private key without an end hides no other line', async () => {
  const lines = ['-----BEGIN PRIVATE KEY-----', 'Ab1='.repeat(16), 'GET / 200', 'next'];
  const incident = await maskIncident(filledWith('x', '', lines), [], turn);
  expect(incident.lines.slice(1).map(({ logLine }) => logLine)).toEqual(['GET / 200', 'next']);
});

test('an edit without secrets is told as it was', async () => {
  const incident = await maskIncident(filledWith('x', 'port: 80\n', ['x']), [], turn);
  expect(incident.diffs).toEqual([
    {
      service: 'x',
      path: 'x',
      text: '--- x\n+++ x\n@@ -1 +1 @@\n-port: 80\n+x\n\\ No newline at end of file\n',
    },
  ]);
  expect(incident.facts.masked).toEqual({ secrets: 0, places: 0 });
});
