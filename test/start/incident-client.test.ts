import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createIncidentClient } from '../../source/start/incident-client.ts';
import { spanText } from '../../source/start/open-incident.ts';
import type { IncidentFacts } from '../../source/store/incident/incident.ts';
import { smallIncident } from '../store/incident/incidents.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const lines = Array.from({ length: 250 }, (_, index) => ({
  id: index + 1,
  serviceName: index % 2 === 0 ? 'web' : 'worker',
  logLine: `line ${index + 1}`,
}));
const incident = smallIncident(
  { files: { web: [{ path: 'app.yaml', size: 2 }] } },
  { lines, diffs: [{ service: 'web', path: 'app.yaml', text: '-a\n+b\n' }] },
);
const client = createIncidentClient(incident, () => 1000);

async function texts(query: Parameters<typeof client.logs.fetch>[1]): Promise<readonly string[]> {
  const page = await client.logs.fetch('d-1', query);
  return page.ok ? page.value.lines.map(({ value }) => value.logLine) : [page.error.sentence];
}

describe('the client of an incident file', () => {
  test('answers with pages of lines, the newest first', async () => {
    expect(await texts({ limit: 2 })).toEqual(['line 250', 'line 249']);
    expect(await texts({ limit: 2, offset: 249 })).toEqual(['line 1']);
    expect(await texts({ offset: 250 })).toEqual([]);
    expect(await texts({ limit: 1, service: 'web' })).toEqual(['line 249']);
    expect(await texts({ search: 'LINE 24', offset: 9 })).toEqual(['line 240', 'line 24']);
    expect(await texts({})).toHaveLength(100);
  });

  test('ends the stream of the log, since no line can come', async () => {
    const ends = await new Promise<string>((resolve) => {
      client.logs.stream('d-1', {
        onOpen() {},
        onFrames() {},
        onClose: ({ code }) => resolve(code),
      });
    });
    expect(ends).toBe('ended');
    expect(await client.logs.isEnded('d-1')).toEqual({ ok: true, value: true });
  });

  test('closes a stream without a call', async () => {
    const onOpen = vi.fn();
    const handlers = { onOpen, onFrames() {}, onClose() {} };
    client.logs.stream('d-1', handlers).close();
    await Promise.resolve();
    expect(onOpen).not.toHaveBeenCalled();
  });

  test('has the deployment, and a file with the change of each edited one', async () => {
    expect(await client.deployments.list()).toMatchObject({
      value: [{ value: { id: 'd-1', name: 'shop', services: [{ name: 'web' }] } }],
    });
    const listed = await client.files.list('d-1', 'web');
    expect(listed.ok && listed.value.map(({ value }) => value.path)).toEqual([
      'app.yaml',
      'app.yaml.diff',
    ]);
    expect(await client.files.get('d-1', 'web', 'app.yaml.diff')).toMatchObject({
      value: { text: '-a\n+b\n', certainty: 'certain' },
    });
    const saved = path.join(temporaryFolder(), 'saved');
    expect(await client.files.save('d-1', 'web', 'app.yaml.diff', saved)).toMatchObject({
      value: { size: 6 },
    });
    expect(readFileSync(saved, 'utf8')).toBe('-a\n+b\n');
    expect(await client.files.get('d-1', 'web', 'app.yaml')).toMatchObject({
      error: { sentence: 'The incident file holds no content of app.yaml.' },
    });
  });

  test('refuses every write with a sentence', async () => {
    const { deployments, files, grants } = client;
    const answers = await Promise.all([
      deployments.create(''),
      deployments.close('d-1'),
      deployments.restart('d-1'),
      files.update('d-1', 'web', 'a', ''),
      files.rename('d-1', 'web', 'a', 'b'),
      files.delete('d-1', 'web', 'a'),
      files.upload('d-1', 'web', []),
      grants.create({ grantee: 'x', limit: '1', expires_at: '' }),
      grants.revoke('g'),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({
        error: { code: 'read-only', sentence: 'An incident file is read-only.' },
      });
    }
  });

  test('lets its clock stand at the time of the file', () => {
    expect(1000 + client.clockOffset()).toBe(Date.parse(incident.facts.madeAt));
  });

  test('has a deployment without fields where the file has no record of it', async () => {
    const bare = createIncidentClient(smallIncident({ deployment: {} }), () => 0);
    expect(await bare.deployments.get('d-1')).toMatchObject({
      value: { value: { id: 'd-1', name: 'shop', services: [] } },
    });
    expect(await bare.deployments.get('other')).toMatchObject({ ok: false });
  });

  test('refuses records that can not be read with a sentence', async () => {
    const odd = createIncidentClient(
      smallIncident({
        deployment: { services: 7 },
        files: { web: [{ size: 1 }] } as unknown as IncidentFacts['files'],
      }),
      () => 0,
    );
    expect(await odd.deployments.list()).toMatchObject({ ok: true });
    expect(await odd.files.list('d-1', 'web')).toMatchObject({
      error: { sentence: expect.stringContaining('files[0].path') },
    });
  });
});

test('the span of an incident names days that are not today', () => {
  const local = (text: string): string => new Date(text).toISOString();
  const span = (from: string, to: string) => {
    return spanText({ from: local(from), to: local(to) }, Date.parse('2026-11-26T15:00'));
  };
  expect(span('2026-11-26T12:01', '2026-11-26T12:31')).toBe('12:01 to 12:31');
  expect(span('2026-11-20T12:01', '2026-11-20T12:31')).toBe('2026-11-20 12:01 to 12:31');
  expect(span('2026-11-19T23:50', '2026-11-20T00:20')).toBe('2026-11-19 23:50 to 2026-11-20 00:20');
});
