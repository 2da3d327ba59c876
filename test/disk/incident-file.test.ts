import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { packTar, unpackTar } from 'modern-tar';
import { describe, expect, test } from 'vitest';
import { packIncident, readIncidentFile } from '../../source/disk/incident-file.ts';
import { incidents, smallIncident } from '../store/incident/incidents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const file = path.join(temporaryFolder('file'), 'x.tar.gz');

async function read(bytes: Uint8Array, limits?: Parameters<typeof readIncidentFile>[1]) {
  await writeFile(file, bytes);
  return readIncidentFile(file, limits);
}

/** Returns the sentence of a refusal. */
async function refusalOf(bytes: Uint8Array): Promise<string | undefined> {
  const got = await read(bytes);
  return got.ok ? undefined : got.problem.sentence;
}

/** Returns a small incident file with other members. */
async function archiveWith(
  members: Readonly<Record<string, string | undefined>>,
  prefix = '',
): Promise<Uint8Array> {
  const packed = await packIncident(smallIncident());
  const before = await unpackTar(gunzipSync(packed));
  const texts: Record<string, string | undefined> = Object.fromEntries(
    before.map(({ header, data }) => [
      header.name.replace(/^[^/]*\//, ''),
      Buffer.from(data ?? '').toString(),
    ]),
  );
  const entries = Object.entries({ ...texts, ...members }).flatMap(([name, body]) =>
    body === undefined
      ? []
      : [{ header: { name: `${prefix}${name}`, size: Buffer.byteLength(body) }, body }],
  );
  return gzipSync(await packTar(entries));
}

const limits = { file: 1e6, content: 1e6, members: 10 };
const isTooLarge = { problem: { sentence: 'This file is too large for an incident file.' } };

describe('an incident file', () => {
  test('gives back the incident', async () => {
    await fc.assert(
      fc.asyncProperty(incidents, async (incident) => {
        expect(await read(await packIncident(incident))).toEqual({ ok: true, value: incident });
      }),
      { numRuns: 40 },
    );
  });

  test('is an ordinary archive of a folder, and says in README.txt what it is and lacks', async () => {
    const diffs = [
      { service: 'web', path: '../../etc/./a\u0007b', text: 'x' },
      { service: '..', path: 'y', text: 'z' },
    ];
    const packed = await packIncident(smallIncident({ missing: ['No files.'] }, { diffs }));
    const members = await unpackTar(gunzipSync(packed));
    expect(members.map(({ header }) => header.name)).toEqual(
      [
        'README.txt',
        'deployment.json',
        'log.jsonl',
        'edits/web/_/_/etc/_/a_b.diff',
        'edits/_/y.diff',
      ].map((name) => `incident-shop-20261126T0400/${name}`),
    );
    const readme = Buffer.from(members[0]?.data ?? '').toString();
    expect(readme).toContain('Incident of shop (deployment d-1)');
    expect(readme).toContain('Missing\nNo files.\n');
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
          const got = await read(broken);
          if (got.ok) expect(got.value).toEqual(incident);
          else expect(got.problem.sentence).toMatch(/^This .*\.$/);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('of anything else is refused without a crash', async () => {
    const small = JSON.parse(String(await textOf('deployment.json'))) as Record<string, unknown>;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(small)),
        fc.jsonValue(),
        fc.string(),
        async (name, value, log) => {
          const facts = JSON.stringify({ ...small, [name]: value });
          await refusalOf(await archiveWith({ 'deployment.json': facts, 'log.jsonl': log }));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('leaves out records that can not be read', async () => {
    const small = JSON.parse(String(await textOf('deployment.json'))) as Record<string, unknown>;
    const events = [null, 7, { at: 1 }, { text: 'b' }, { at: 1, text: 'a' }];
    const odd = { ...small, events, files: { web: 7, api: [] }, missing: [1, 'x'], masked: 3 };
    expect(await read(await archiveWith({ 'deployment.json': JSON.stringify(odd) }))).toMatchObject(
      {
        value: {
          facts: {
            events: [{ at: 1, text: 'a' }],
            files: { api: [] },
            missing: ['x'],
            masked: { secrets: 0, places: 0 },
          },
        },
      },
    );
  });

  test('says what is damaged, and what is no incident file', async () => {
    const json = String(await textOf('deployment.json'));
    const refusals = {
      "This isn't an incident file, or it is damaged.": [Buffer.from('hello'), gzipSync('hello')],
      "This isn't an incident file.": [
        gzipSync(await packTar([])),
        await archiveWith({ 'deployment.json': '{"format":"other"}' }),
      ],
      "This incident file is damaged: log.jsonl can't be read.": [
        await archiveWith({ 'log.jsonl': undefined }),
      ],
      "This incident file is damaged: line 2 of log.jsonl can't be read.": [
        await archiveWith({ 'log.jsonl': '{"type":"log","logLine":"a"}\n{"type":"log"}\n' }),
      ],
      "This incident file is damaged: deployment.json can't be read.": [
        await archiveWith({ 'deployment.json': json.replace('"to":', '"at":') }),
      ],
      'This file has version 3 of the format; this hostdeck reads version 2.': [
        await archiveWith({ 'deployment.json': json.replace('"version": 2', '"version": 3') }),
      ],
      'This incident file has the format of an earlier hostdeck, which is no longer read.': [
        gzipSync('{"kind":"incident","format":"hostdeck incident","version":1}\n{"kind":"end"}\n'),
      ],
    };
    for (const [sentence, files] of Object.entries(refusals)) {
      for (const bytes of files) expect(await refusalOf(bytes)).toBe(sentence);
    }
  });

  test('that was extracted and packed again is read, in any folder', async () => {
    for (const folder of ['', './', 'a/b/']) {
      expect(await refusalOf(await archiveWith({ 'notes.txt': 'mine' }, folder))).toBeUndefined();
    }
  });

  test('with more bytes or members than the limit is refused', async () => {
    expect(await read(gzipSync(Buffer.alloc(10_000_000)), limits)).toMatchObject(isTooLarge);
    expect(await read(Buffer.alloc(2000), { ...limits, file: 1000 })).toMatchObject(isTooLarge);
    const many = await archiveWith(Object.fromEntries(limitNames.map((name) => [name, ''])));
    expect(await read(many, limits)).toMatchObject(isTooLarge);
  });

  test('that is missing or a folder is told', async () => {
    const folder = temporaryFolder();
    for (const name of [folder, path.join(folder, 'missing'), '/dev/null']) {
      expect(await readIncidentFile(name)).toMatchObject({
        problem: { sentence: expect.stringContaining(name) },
      });
    }
  });
});

const limitNames = Array.from({ length: 10 }, (_, index) => `edits/web/${index}.diff`);

async function textOf(name: string): Promise<string | undefined> {
  const members = await unpackTar(gunzipSync(await packIncident(smallIncident())));
  const found = members.find(({ header }) => header.name.endsWith(`/${name}`));
  return found?.data && Buffer.from(found.data).toString();
}
