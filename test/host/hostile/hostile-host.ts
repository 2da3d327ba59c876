import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ControlClient } from '../../../source/host/control/control-client.ts';
import { controlSocketPath } from '../../../source/host/control/control-path.ts';
import type { HostInfo } from '../../../source/host/control/control.ts';
import type { HostOptions } from '../../../source/host/server/serve.ts';
import { waitFor } from '../../support/wait-for.ts';
import { removeMachineVolumes } from '../support/machine-volumes.ts';
import { type Caller, callHost } from '../support/temporary-host.ts';
import type { Configuration } from './configurations.ts';
import type { Programs } from './programs-folder.ts';

/** The name of a variable of the host and of the attacked services. */
export const canary = 'HOSTDECK_TEST_CANARY';

const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Grace period of a stop, long enough for a service to ignore SIGTERM. */
const graceMs = 300;

interface Started {
  readonly child: ChildProcess;
  readonly hello: HostInfo;
}

/** A host in its own process with a given configuration, and the files of its user. */
export class HostileHost {
  /** Accessible to every user. */
  readonly folder: string;
  readonly #configuration: Configuration;
  readonly #programs: Programs;
  readonly #written: string[] = [];
  #started: Started | undefined;

  private constructor(configuration: Configuration, programs: Programs) {
    this.#configuration = configuration;
    this.#programs = programs;
    this.folder = mkdtempSync('/tmp/hostdeck-hostile-');
    chmodSync(this.folder, 0o755);
    for (const each of [this.dataDir, this.#home]) {
      mkdirSync(each, { mode: 0o700 });
      chownSync(each, configuration.user, configuration.user);
    }
  }

  /** Starts a host and waits until it answers. */
  static async start(configuration: Configuration, programs: Programs): Promise<HostileHost> {
    const host = new HostileHost(configuration, programs);
    await host.startAgain();
    return host;
  }

  /** Starts another host with the same folder after a kill. */
  async startAgain(): Promise<void> {
    const { user, sandbox } = this.#configuration;
    const { dataDir } = this;
    const options: HostOptions = { dataDir, port: 0, sample: false, sandbox, graceMs };
    const change = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
    const [program, ...args] = [
      ...(user === process.getuid?.() ? [] : change),
      this.#programs.node,
      this.#programs.host,
      JSON.stringify(options),
    ];
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: systemPath, HOME: this.#home, [canary]: 'a secret of the host' },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => this.#written.push(text));
    }
    const hello = await waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`the host ended: ${this.written}`);
      const client = await ControlClient.connect(controlSocketPath(dataDir));
      const answer = await client?.hello();
      client?.close();
      if (answer === undefined) throw new Error('no host yet');
      return answer;
    });
    this.#started = { child, hello };
  }

  get dataDir(): string {
    return path.join(this.folder, 'data');
  }

  get #home(): string {
    return path.join(this.folder, 'home');
  }

  get #running(): Started {
    if (this.#started === undefined) throw new Error('No host runs.');
    return this.#started;
  }

  get pid(): number {
    return this.#running.hello.pid;
  }

  get baseUrl(): string {
    return this.#running.hello.baseUrl;
  }

  /** The text that the host has written to its standard output and error. */
  get written(): string {
    return this.#written.join('');
  }

  get isRunning(): boolean {
    const { child } = this.#running;
    return child.exitCode === null && child.signalCode === null;
  }

  /** A caller with the wallet of the person at this machine. */
  get owner(): Caller {
    return this.#caller(this.#running.hello.wallet, this.#running.hello.token);
  }

  /** Resolves with a caller that has a token of another wallet. */
  async stranger(): Promise<Caller> {
    const wallet = `0x${'5'.repeat(40)}`;
    const client = await ControlClient.connect(controlSocketPath(this.dataDir));
    const token = await client?.token(wallet);
    client?.close();
    if (token === undefined) throw new Error('The host issued no token.');
    return this.#caller(wallet, token);
  }

  /** Creates a file that belongs to the host's user, and its folder. */
  write(file: string, mode: number): string {
    const fullPath = path.join(this.folder, file);
    const { user } = this.#configuration;
    mkdirSync(path.dirname(fullPath), { recursive: true });
    writeFileSync(fullPath, 'a secret in a file');
    chmodSync(fullPath, mode);
    chownSync(fullPath, user, user);
    return fullPath;
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends the host with its services, and removes its folder. */
  async remove(): Promise<void> {
    await this.#end('SIGTERM');
    removeMachineVolumes(this.dataDir);
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(name: NodeJS.Signals): Promise<void> {
    if (this.#started === undefined || !this.isRunning) return;
    this.#started.child.kill(name);
    await once(this.#started.child, 'exit');
  }

  #caller(wallet: string, token: string): Caller {
    const { baseUrl } = this.#running.hello;
    return { wallet, token, call: (...call) => callHost(baseUrl, token, ...call) };
  }
}
