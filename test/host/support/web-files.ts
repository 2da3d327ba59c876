import type { StagedFile } from '../../../source/host/files/staged-file.ts';
import { fieldOf } from './bodies.ts';
import { type Caller, formOf } from './temporary-host.ts';

/** Returns file operations on the service `web` of the current deployment, for its owner. */
export function webFiles(owner: Caller, deployment: () => string) {
  const place = () => ({ id: deployment(), name: 'web' });
  const put = (path: string, content: string) =>
    owner.call('updateFile', { ...place(), path, json: { content } });
  const upload = (files: Parameters<typeof formOf>[0]) =>
    owner.call('uploadFiles', { ...place(), form: formOf(files) });
  const get = (path: string) => owner.call('getFile', { ...place(), path });
  const content = async (path: string): Promise<unknown> =>
    (fieldOf(await get(path), 'file') as { readonly content: string }).content;
  const listed = async (): Promise<readonly string[]> => {
    const answer = await owner.call('listFiles', place());
    return (fieldOf(answer, 'files') as readonly StagedFile[]).map((file) => file.path);
  };
  return { place, put, upload, get, content, listed };
}
