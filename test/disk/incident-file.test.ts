import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packIncident, readIncidentFile, unpackIncident } from '../../source/disk/incident-file.ts';
import type { Incident } from '../../source/store/incident/incident.ts';
import { incidents, smallIncident } from '../store/incident/incidents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Returns the sentence of a refusal. */
async function refusalOf(content: string | Uint8Array): Promise<string | undefined> {
  const read = await unpackIncident(typeof content === 'string' ? gzipSync(content) : content);
  return read.ok ? undefined : read.problem.sentence;
}

const recordsOf = async (incident: Incident): Promise<readonly string[]> =>
  gunzipSync(await packIncident(incident))
    .toString()
    .split('\n');

describe('an incident file', () => {
  test('gives back the incident, and is the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(incidents, async (incident) => {
        const packed = await packIncident(incident);
        expect(await unpackIncident(packed)).toEqual({ ok: true, incident: incident });
        expect(await packIncident(incident)).toEqual(packed);
      }),
      { numRuns: 50 },
    );
  });

  test('with a byte changed or its end cut is refused, or has the same content', async () => {
    await fc.assert(
      fc.asyncProperty(
        incidents,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (incident, place, flip, isCut) => {
          const packed = await packIncident(incident);
          const at = place % packed.length;
          const broken = isCut ? packed.subarray(0, at) : Buffer.from(packed);
          if (!isCut) broken[at] = (broken[at] ?? 0) ^ flip;
          const read = await unpackIncident(broken);
          if (read.ok) expect(read.incident).toEqual(incident);
          else expect(read.problem.sentence).toMatch(/^This .*\.$/);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('of anything else is refused without a crash', async () => {
    const record = fc.oneof(
      fc.json(),
      fc.string(),
      fc
        .record({
          kind: fc.constantFrom(
            'line',
            'edit',
            'history',
            'end',
            'file',
            'masked',
            'deployment',
            'new',
          ),
        })
        .map((one) => JSON.stringify(one)),
    );
    const [header = ''] = await recordsOf(smallIncident());
    await fc.assert(
      fc.asyncProperty(fc.array(record), fc.boolean(), async (lines, hasHeader) => {
        await refusalOf([...(hasHeader ? [header] : []), ...lines].join('\n'));
      }),
      { numRuns: 100 },
    );
  });

  test('names the place of damage', async () => {
    const [header = '', , ...others] = await recordsOf(smallIncident());
    expect(await refusalOf([header, '{"kind":"line"}', ...others].join('\n'))).toBe(
      "This incident file is damaged: record 2 can't be read.",
    );
    expect(await refusalOf(header)).toBe('This incident file is cut: its end is missing.');
    expect(await refusalOf('')).toBe("This isn't an incident file.");
    expect(await refusalOf('{"kind":"line"}')).toBe("This isn't an incident file.");
    expect(await refusalOf(Buffer.from('hello'))).toBe(
      "This isn't an incident file, or it is damaged.",
    );
  });

  test('of a newer version is refused, and one with unknown records is read', async () => {
    const [header = '', ...others] = await recordsOf(smallIncident());
    const newer = header.replace('"version":1', '"version":2');
    expect(await refusalOf([newer, ...others].join('\n'))).toBe(
      'This file has version 2 of the format; this hostdeck reads version 1.',
    );
    const further = [header, '{"kind":"later","x":1}', ...others].join('\n');
    expect(await refusalOf(further)).toBeUndefined();
  });

  test('that decompresses to more than the limit is refused', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const read = await unpackIncident(bomb, { file: 1e6, content: 1e6 });
    expect(read).toMatchObject({
      problem: { sentence: 'This file is too large for an incident file.' },
    });
    const file = path.join(temporaryFolder(), 'bomb');
    await writeFile(file, Buffer.alloc(2000));
    expect(await readIncidentFile(file, { file: 1000, content: 1e6 })).toMatchObject({
      problem: { sentence: 'This file is too large for an incident file.' },
    });
  });

  test('that is missing or a folder is told', async () => {
    const folder = temporaryFolder();
    for (const file of [folder, path.join(folder, 'missing')]) {
      const read = await readIncidentFile(file);
      expect(read).toMatchObject({
        ok: false,
        problem: { sentence: expect.stringContaining(file) },
      });
    }
  });
});
