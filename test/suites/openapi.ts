/**
 * Linters of OpenAPI on the document of a host, Prism between the client and the host, which refuses what
 * the document does not allow, and a client that is generated from the document.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '../../source/client/client.ts';
import type { Result } from '../../source/client/http/errors.ts';
import type { OperationName } from '../../source/contract/routes.ts';
import { openApiPath } from '../../source/contract/openapi/document.ts';
import { sdlOf, temporaryHost } from '../host/support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';
import { checkGeneratedClient } from './generated-client.ts';
import { packages } from './install.ts';
import type { Report, Skips } from './report.ts';

const stream = '#/paths/~1api~1v1~1deployments~1logs~1stream/get/responses';
const upgrade = 'The answer that opens a WebSocket is 101.';

export const openApiSkips: Skips = {
  [`redocly operation-2xx-response ${stream}`]: upgrade,
  [`spectral operation-success-response ${stream}`]: upgrade,
  'spectral info-contact #/info': 'The host does not know who runs it.',
  'uploadFiles through Prism': 'Prism keeps one part of a form for each name, and expects a list.',
};

export async function checkOpenApi(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-openapi-'));
  const owner = '0x1111111111111111111111111111111111111111';
  const temporary = await temporaryHost();
  const { host } = temporary;
  host.balance(owner, '1000');
  const document = path.join(folder, 'openapi.json');
  const answer = await fetch(new URL(openApiPath, host.baseUrl));
  writeFileSync(document, await answer.text());
  await checkRules(report, document);
  await checkProxy(report, document, host.baseUrl, host.issueToken(owner));
  await checkGeneratedClient(report, document, host.baseUrl, host.issueToken(owner));
  await temporary.remove();
  rmSync(folder, { recursive: true });
}

const programs = path.join(packages, 'node_modules/.bin');

/** Keeps the tools from asking the network for updates and telling of their use. */
const quiet = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
};

function start(program: string, args: readonly string[]) {
  const env = { ...process.env, ...quiet };
  return spawn(path.join(programs, program), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Resolves with what a program writes to its output. */
async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const child = start(program, args);
  const [output, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (output === '') throw new Error(`${program}: ${error}`);
  return output;
}

interface Finding {
  readonly rule: string;
  /** JSON pointer into the document. */
  readonly place: string;
  readonly message: string;
}

/** The linters; each finding is a check of its own, so that the skip list can name it. */
const linters: Readonly<Record<string, (file: string) => Promise<readonly Finding[]>>> = {
  async redocly(file) {
    const args = ['lint', '--extends=recommended', '--format=json', file];
    const output = await outputOf('redocly', args);
    const { problems } = JSON.parse(output) as {
      readonly problems: readonly {
        readonly ruleId: string;
        readonly message: string;
        readonly location: readonly { readonly pointer?: string }[];
      }[];
    };
    return problems.map(({ ruleId, message, location }) => ({
      rule: ruleId,
      place: location[0]?.pointer ?? '',
      message,
    }));
  },
  async spectral(file) {
    const ruleset = `${file}.rules.json`;
    writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
    const args = ['lint', '--quiet', '--format=json', `--ruleset=${ruleset}`, file];
    const output = await outputOf('spectral', args);
    const problems = JSON.parse(output) as readonly {
      readonly code: string;
      readonly message: string;
      readonly path: readonly (string | number)[];
    }[];
    const pointerOf = (part: string | number) =>
      String(part).replaceAll('~', '~0').replaceAll('/', '~1');
    return problems.map((problem) => ({
      rule: problem.code,
      place: `#/${problem.path.map(pointerOf).join('/')}`,
      message: problem.message,
    }));
  },
};

async function checkRules(report: Report, file: string): Promise<void> {
  for (const [name, lint] of Object.entries(linters)) {
    let findings: readonly Finding[] = [];
    await report.check(`${name} reads the document`, async () => {
      findings = await lint(file);
      return undefined;
    });
    for (const { rule, place, message } of findings) {
      await report.check(`${name} ${rule} ${place}`, () => message);
    }
  }
}

/** Does all operations with the client, through a proxy that answers a violation with an error. */
async function checkProxy(
  report: Report,
  document: string,
  baseUrl: string,
  token: string,
): Promise<void> {
  const prism = start('prism', ['proxy', document, baseUrl, '--errors', '--port=0']);
  const failures: string[] = [];
  const listening = Promise.withResolvers<string>();
  prism.once('exit', () => listening.reject(new Error('Prism ended.')));
  createInterface({ input: prism.stdout }).on('line', (line) => {
    const [url] = /(?<=listening on )http:\S+/.exec(line) ?? [];
    if (url !== undefined) listening.resolve(url);
    if (/violat/i.test(line)) failures.push(line.trim());
  });
  const client = createClient({ baseUrl: await listening.promise, token });
  for (const [name, request] of Object.entries(requests)) {
    await report.check(`${name} through Prism`, async () => {
      failures.length = 0;
      const result = await request(client);
      if (!result.ok) {
        const { sentence, errorMessage = '' } = result.error;
        return [sentence, errorMessage, ...failures].join(' ');
      }
      return failures.length === 0 ? undefined : failures.join(' ');
    });
  }
  await client.close();
  prism.kill();
  await once(prism, 'close');
}

/** The ids that earlier operations returned. */
const made = { deployment: '', grant: '' };

const bytesOf = (words: string) => ({ bytes: Buffer.from(words) });

/** The 15 operations in an order in which each can succeed. */
const requests: Readonly<Record<OperationName, (client: Client) => Promise<Result<unknown>>>> = {
  async createDeployment({ deployments }) {
    const command = ['sh', '-c', 'echo ready; exec sleep 600'];
    const created = await deployments.create(sdlOf({ web: { command, port: 8080 } }, 'shop'));
    if (created.ok) made.deployment = created.value.value.id;
    return created;
  },
  listDeployments: ({ deployments }) => deployments.list(),
  getDeployment: ({ deployments }) => deployments.get(made.deployment),
  uploadFiles: ({ files }) =>
    files.upload(made.deployment, 'web', [
      { path: 'a.txt', source: bytesOf('text') },
      { path: 'etc/b.txt', source: bytesOf('') },
    ]),
  updateFile: ({ files }) => files.update(made.deployment, 'web', 'etc/c d.txt', 'höher\n'),
  listFiles: ({ files }) => files.list(made.deployment, 'web'),
  getFile: ({ files }) => files.get(made.deployment, 'web', 'etc/c d.txt'),
  renameFile: ({ files }) => files.rename(made.deployment, 'web', 'etc/c d.txt', 'etc/e.txt'),
  deleteFile: ({ files }) => files.delete(made.deployment, 'web', 'etc/e.txt'),
  fetchLogs: ({ logs }) =>
    waitFor(async () => {
      const page = await logs.fetch(made.deployment, { limit: 10, service: 'web' });
      if (page.ok && page.value.lines.length === 0) throw new Error('No line was written.');
      return page;
    }),
  restartDeployment: ({ deployments }) => deployments.restart(made.deployment),
  async createGrant({ grants }) {
    const created = await grants.create({
      grantee: '0x2222222222222222222222222222222222222222',
      limit: '1.5',
      expires_at: '2100-01-01T00:00:00.000Z',
    });
    if (created.ok) made.grant = created.value.value.id;
    return created;
  },
  listGrants: ({ grants }) => grants.list(),
  revokeGrant: ({ grants }) => grants.revoke(made.grant),
  closeDeployment: ({ deployments }) => deployments.close(made.deployment),
};
