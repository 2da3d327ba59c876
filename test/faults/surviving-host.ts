import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { issueToken } from '../../source/host/administration.ts';
import {
  callHost,
  type CallOptions,
  idle,
  sdlOf,
  type SdlService,
} from '../host/support/temporary-host.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { fastFolder } from '../support/fast-folder.ts';

type Operation = Parameters<typeof callHost>[2];

/** A wallet with one deployment `shop`, which has one service `web`. */
export interface Shop {
  readonly token: string;
  readonly id: string;
  call(operation: Operation, options?: CallOptions): ReturnType<typeof callHost>;
}

/** A host in a process of its own. */
export interface SurvivingHost extends AsyncDisposable {
  readonly baseUrl: string;
  /** Makes a wallet that nobody else has. @param web its service; one that sleeps by default. */
  open(web?: SdlService): Promise<Shop>;
}

const program = await bundledProgram('test/host/support/host-process.ts');

export async function startSurvivingHost(): Promise<SurvivingHost> {
  const data = await mkdtemp(path.join(fastFolder, 'hostdeck-faults-'));
  const command = JSON.stringify({ kind: 'host', port: 0, version: 'faults', data });
  const child = spawn(process.execPath, [program, command], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  const baseUrl = line.slice(line.indexOf('http'));
  let wallets = 0;
  return {
    baseUrl,
    async open(web = idle) {
      wallets += 1;
      const token = await issueToken(data, `0xround${wallets}`);
      const call: Shop['call'] = (operation, options) =>
        callHost(baseUrl, token, operation, options);
      const answer = await call('createDeployment', { json: { sdl: sdlOf({ web }, 'shop') } });
      const { deployment } = answer.body as { readonly deployment: { readonly id: string } };
      return { token, id: deployment.id, call };
    },
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      await rm(data, { recursive: true, force: true });
    },
  };
}
