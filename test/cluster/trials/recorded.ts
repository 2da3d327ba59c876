import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generationOf } from '../../../source/host/cluster/plan.ts';
import { deploy, readDeployment } from '../../host/support/bodies.ts';
import { type Caller, formOf, temporaryHost } from '../../host/support/temporary-host.ts';
import { close, onBed, runningTasks, waitForBed, webSdl } from '../bed.ts';
import { type RecordedRequest, startRecordingProxy } from './recording-proxy.ts';
import type { TrialResult } from './trial.ts';

/** Deployments at a time. */
const together = 4;

const idle = `
  process.on('SIGTERM', () => process.exit());
  setInterval(() => undefined, 1000);
`;

/** Header that has the login of the registry of a request's image. */
const loginHeader = 'x-registry-auth';

const isWrite = ({ method, url }: RecordedRequest) =>
  method === 'POST' && /\/services\/(create|[^/]+\/update)(\?|$)/.test(url);

/**
 * Records what a host sends to the engine while it creates, restarts and closes deployments, and searches
 * it for values of variables and for passwords.
 */
export async function tryRecorded({ writes = 100 } = {}): Promise<TrialResult> {
  // Letters and digits alone stay the same in URLs and in JSON.
  const [value, password, other] = ['value', 'password', 'other'].map(
    (name) => `${name}${randomBytes(16).toString('hex')}`,
  ) as [string, string, string];
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-recorded-'));
  const logins = path.join(folder, 'auth.json');
  const auth = (secret: string) => ({ auth: Buffer.from(`user:${secret}`).toString('base64') });
  const [registry = ''] = onBed.registry.split('/');
  const auths = { [registry]: auth(password), 'registry.example': auth(other) };
  await writeFile(logins, JSON.stringify({ auths }));
  const proxy = await startRecordingProxy(onBed.engineEnvironment.DOCKER_HOST);
  const engineEnvironment = { DOCKER_HOST: proxy.address, REGISTRY_AUTH_FILE: logins };
  const service = await temporaryHost({ ...onBed, engineEnvironment });
  try {
    const owner = service.as('0xowner');
    const written = () => proxy.requests.filter(isWrite);
    while (written().length < writes) {
      const runs = Array.from({ length: together }, () => runOnce(owner, value));
      await Promise.all(runs);
    }
    const { requests } = proxy;
    const places = requests.flatMap(({ url, headers }) => [
      ['a URL', url],
      ...headers.flatMap((text, at) => {
        const name = (headers[at - 1] ?? '').toLowerCase();
        return [[at % 2 === 1 && name === loginHeader ? loginHeader : 'another header', text]];
      }),
    ]);
    const found = (secret: string) =>
      places.flatMap(([place, text = '']) => (readings(text).includes(secret) ? [place] : []));
    const inLogin = found(password).filter((place) => place === loginHeader).length;
    const elsewhere = found(password).length - inLogin;
    const wrong = [...found(value), ...found(other)].length + elsewhere;
    const having = (secret: string) => requests.filter(({ body }) => body.includes(secret));
    const values = having(value);
    const inOther = values.filter((each) => !isWrite(each)).length;
    const passwords = having(password).length + having(other).length;
    return {
      figures: [
        `${written().length} creates and updates of services, ${requests.length} requests`,
        `${found(value).length} values of variables in URLs and headers; ${values.length} in bodies, ` +
          `${inOther} of them of other requests than those`,
        `${inLogin} times the password in ${loginHeader}, ${elsewhere} times in a URL or another ` +
          `header; ${found(other).length} times that of another registry; ${passwords} in bodies`,
      ],
      failures: [
        ...(wrong > 0 ? ['a secret in a URL or a header'] : []),
        ...(inOther + passwords > 0 ? ['a secret in a body'] : []),
        ...(values.length === 0 || inLogin === 0 ? ['nothing was seen that had to be'] : []),
      ],
    };
  } finally {
    await service.remove();
    proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates a deployment, restarts it with a file and closes it. */
async function runOnce(owner: Caller, value: string): Promise<void> {
  const sdl = webSdl(1, { args: ['-e', idle], env: [`SECRET=${value}`] });
  const { id } = await deploy(owner, sdl);
  /** Resolves with the generation that runs alone. */
  const generation = async (before?: number) =>
    await waitForBed(async () => {
      const [task, ...more] = await runningTasks(id);
      const { state } = await readDeployment(owner, id);
      const isNext = task !== undefined && more.length === 0 && generationOf(task) !== before;
      if (state !== 'active' || !isNext) throw new Error(`${id} is ${state}`);
      return generationOf(task);
    });
  const first = await generation();
  const form = formOf({ 'config.txt': id });
  await owner.call('uploadFiles', { id, name: 'web', form });
  await owner.call('restartDeployment', { id });
  await generation(first);
  await close(owner, id);
}

/** Returns the text with what it says when it is decoded: as a part of a URL, and all of it in base64. */
function readings(text: string): string {
  const encoded = text.match(/[\w+/=-]{16,}/g) ?? [];
  const decoded = encoded.map((part) => Buffer.from(part, 'base64').toString('latin1'));
  return [text, decodeURIComponent(text), ...decoded].join('\n');
}
