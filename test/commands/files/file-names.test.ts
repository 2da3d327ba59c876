import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../source/client/client.ts';
import { createLocalFiles } from '../../../source/disk/local-files.ts';
import { createUploads } from '../../../source/store/transfers/uploads.ts';
import { deploy, errorIn } from '../../host/support/bodies.ts';
import { sharedHost } from '../../host/support/shared-host.ts';
import { formOf, idle, sdlOf } from '../../host/support/temporary-host.ts';
import { fileNames } from '../../support/file-names.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runCommand } from '../run-command.ts';

const host = sharedHost();
const owner = host.as('0xowner');
const service = () => ({ baseUrl: host.host.baseUrl, token: owner.token });

const contentOf = (name: string): string => `content of ${JSON.stringify(name)}`;

/** Returns a folder with one file of each name. */
async function localFolder(): Promise<string> {
  const folder = temporaryFolder();
  for (const name of fileNames) await writeFile(path.join(folder, name), contentOf(name));
  return folder;
}

/** Names of paths that our host refuses in every request. */
const withBackslash = fileNames.filter((name) => name.includes('\\'));

/** Each way to upload all names to a deployment; returns those that were refused. */
const writers: Readonly<Record<string, (id: string) => Promise<readonly string[]>>> = {
  async 'files put'(id) {
    const folder = await localFolder();
    const put = (names: readonly string[]) =>
      runCommand(
        service(),
        ['files', 'put', ...names.map((name) => `./${name}`), `${id}/web:/`, '--restart', 'none'],
        { cwd: folder },
      );
    const together = fileNames.filter((name) => !withBackslash.includes(name));
    expect((await put(together)).code).toBe(0);
    for (const name of withBackslash) {
      const { code, stderr } = await put([name]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('separates segments by /')]);
    }
    return withBackslash;
  },
  async 'files sync'(id) {
    const { code, stderr } = await runCommand(
      service(),
      ['files', 'sync', await localFolder(), `${id}/web:/`, '--restart', 'none', '--yes'],
      {},
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('5 files not synced.')]);
    // Node reads names that are not UTF-8 with this character.
    return [...withBackslash, ...fileNames.filter((name) => name.includes('\ufffd'))];
  },
  async 'the console'(id) {
    const client = createClient(service());
    onTestFinished(() => client.close());
    const uploads = createUploads({
      client: client.files,
      local: createLocalFiles('linux'),
      clock: { now: () => 0, after: () => () => {} },
      trash: { put: async () => ({ ok: true }) },
      writes: {
        operation: () => () => {},
        intendUpload: async () => ({ arrived: async () => {}, refused() {} }),
      },
    });
    const folder = await localFolder();
    const place = { deploymentId: id, service: 'web' };
    const paths = fileNames.map((name) => path.join(folder, name));
    const plan = await uploads.prepare({ place, target: '', paths });
    if (!plan.ok) throw new Error(plan.error.sentence);
    const outcome = await uploads.send(plan.value, 'replace');
    expect(outcome).toMatchObject({ unknown: [], unsent: [], error: undefined });
    return (outcome?.leftOut ?? []).map(({ path: file }) => path.basename(file));
  },
  async FormData(id) {
    const refused: string[] = [];
    for (const name of fileNames) {
      const form = formOf({ [name]: contentOf(name) });
      const answer = await owner.call('uploadFiles', { id, name: 'web', form });
      if (answer.status === 200) continue;
      expect(errorIn(answer)).toMatchObject({
        status: 422,
        message: expect.stringContaining('with PUT'),
      });
      refused.push(name);
    }
    return refused;
  },
};

test.each(Object.keys(writers))('%s makes one file of each name, or says why not', async (key) => {
  const { id } = await deploy(owner, sdlOf({ web: idle }));
  const refused = await writers[key]?.(id);
  const { files } = createClient(service());
  const listed = await files.list(id, 'web');
  const names = listed.ok ? listed.value.map(({ value }) => value.path) : [];
  expect(names.toSorted()).toEqual(fileNames.filter((name) => !refused?.includes(name)).toSorted());
  for (const name of names) {
    const read = await files.get(id, 'web', name);
    expect(read.ok && read.value.text).toBe(contentOf(name));
  }
  if (key !== 'FormData') expect(refused?.length).toBeLessThanOrEqual(withBackslash.length + 1);
});
