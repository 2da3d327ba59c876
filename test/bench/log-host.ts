/**
 * A host of one deployment, whose only service is the process that the arguments name. Says where
 * the stream is and how to be let in. Readers may be as slow as they are: what they are measured
 * against lets go of nobody either.
 */
import path from 'node:path';
import { logStreamPath } from '../../source/contract/routes.ts';
import { startHost } from '../../source/host/server/serve.ts';
import { callHost, sdlOf } from '../host/support/temporary-host.ts';

const [dataDir = '', backlog = '', ...args] = process.argv.slice(2);
const maxStreamBacklogBytes = Number(backlog);
const host = await startHost({
  dataDir,
  port: 0,
  sample: false,
  // The process reads its program and its signal to start from folders of this user alone.
  sandbox: 'off',
  machineFolder: '/dev/null/none',
  graceMs: 100,
  limits: { maxStreamBacklogBytes },
});
const sdl = sdlOf({
  web: { command: [process.execPath], args: args.map((arg) => path.normalize(arg)) },
});
const { body } = await callHost(host.baseUrl, host.token, 'createDeployment', { json: { sdl } });
const { deployment } = body as { readonly deployment: { readonly id: string } };
process.on('SIGTERM', () => void host.close());
const stream = `${host.baseUrl}${logStreamPath}?deploymentId=${deployment.id}`;
process.stdout.write(`${stream} ${host.token}\n`);
