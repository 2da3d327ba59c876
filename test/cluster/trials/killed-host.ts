import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ControlClient } from '../../../source/host/control/control-client.ts';
import { controlSocketPath } from '../../../source/host/control/control-path.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { type Caller, callHost } from '../../host/support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { onBed } from '../bed.ts';

const program = fileURLToPath(new URL('../../host/support/host-process.ts', import.meta.url));

/** A host on the bed in a process of its own, which may be killed and started again. */
export class KilledHost {
  readonly #dataDir: string;
  #child: ChildProcess | undefined;

  private constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Returns a host without the sample, which does not run yet. */
  static async make(): Promise<KilledHost> {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'hostdeck-killed-'));
    const storage = Storage.open(dataDir);
    storage.writeMeta('sample', 'none');
    storage.close();
    return new KilledHost(dataDir);
  }

  /** Starts it. Resolves with a caller of its own wallet once it answers. */
  async start(): Promise<Caller> {
    const { runtime, registry, engineEnvironment } = onBed;
    const command = {
      kind: 'host',
      data: this.#dataDir,
      port: 0,
      runtime,
      registry,
      engine: engineEnvironment.DOCKER_HOST,
      trustWallets: true,
      version: '1.2.3',
    };
    this.#child = spawn(process.execPath, [program, JSON.stringify(command)], {
      stdio: 'ignore',
    });
    const { baseUrl, token, wallet } = await waitFor(async () => {
      const control = await ControlClient.connect(controlSocketPath(this.#dataDir));
      const hello = await control?.hello();
      control?.close();
      if (hello === undefined) throw new Error('no host yet');
      return hello;
    });
    const call: Caller['call'] = (operation, options) =>
      callHost(baseUrl, token, operation, options);
    return { wallet, token, call };
  }

  /** Ends it as nothing can be caught. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it in order, and removes its folder. */
  async remove(): Promise<void> {
    await this.#end('SIGTERM');
    await rm(this.#dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
