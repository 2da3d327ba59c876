/** Runs the shell commands of alert rules, which get the values of an alert by their environment. */
import { spawn } from 'node:child_process';
import type { FoundCondition } from '../../store/alerts/rule.ts';
import type { Clock } from '../../store/time/clock.ts';
import { childEnvironment } from '../../system/child-environment.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';

/** Milliseconds after which a command is ended, with the programs that it started. */
const timeLimit = 60_000;

/** Most commands at a time: an outage of a service is an alert for each of its deployments. */
const mostCommands = 8;

/** Characters of a value; Linux refuses a variable of 128 KiB. */
const longestValue = 4096;

/** The machine and the service of commands. */
interface CommandPlace {
  /** Base URL of the service. */
  readonly address: string;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
}

export class AlertCommands {
  readonly #place: CommandPlace;
  readonly #onFailure: (sentence: string) => void;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  /** Commands that failed when they ran last. */
  readonly #failed = new Set<string>();

  /** @param onFailure called when a command fails, and not again until it has succeeded. */
  constructor(place: CommandPlace, onFailure: (sentence: string) => void) {
    this.#place = place;
    this.#onFailure = onFailure;
  }

  /** Runs a command about an alert, at once or after others. */
  run(command: string, alert: FoundCondition): void {
    this.#waiting.push(async () => {
      const reason = await runCommand(command, alert, this.#place);
      if (reason === undefined) this.#failed.delete(command);
      else if (!this.#failed.has(command)) {
        this.#failed.add(command);
        this.#onFailure(`The command of the rule ${alert.rule.when} ${reason}.`);
      }
    });
    void this.#runWaiting();
  }

  /** Starts no more commands; those that run go on. */
  stop(): void {
    this.#waiting.length = 0;
  }

  async #runWaiting(): Promise<void> {
    if (this.#running >= mostCommands) return;
    this.#running += 1;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await next();
    this.#running -= 1;
  }
}

/** Resolves with the reason for which a command failed; undefined where it succeeded. */
function runCommand(
  command: string,
  alert: FoundCondition,
  { address, clock, env }: CommandPlace,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A group of its own: the terminal's ^C is not for it, and its end ends what it started.
    const child = spawn('/bin/sh', ['-c', command], {
      detached: true,
      stdio: 'ignore',
      env: { ...childEnvironment(env), ...alertVariables(alert, address) },
    });
    child.unref();
    let isLate = false;
    const cancel = clock.after(timeLimit, () => {
      isLate = true;
      if (child.pid !== undefined) endGroup(child.pid);
    });
    child.on('error', (error) => {
      cancel();
      resolve(`can't be started: ${error.message}`);
    });
    child.on('exit', (code, signal) => {
      cancel();
      if (isLate) resolve(`was ended after ${timeLimit / 1000} s`);
      else resolve(code === 0 ? undefined : `failed: ${signal ?? `exit ${code}`}`);
    });
  });
}

/**
 * Returns the variables of a command: its text never has a value of a service, which would be run. Each
 * is set, so that none comes from another alert.
 */
function alertVariables(
  { rule, sentence, deployment, grant, line }: FoundCondition,
  address: string,
): Readonly<Record<string, string>> {
  const values = {
    HOSTDECK_ALERT: sentence,
    HOSTDECK_WHEN: rule.when,
    HOSTDECK_DEPLOYMENT: deployment?.name ?? deployment?.id,
    HOSTDECK_DEPLOYMENT_ID: deployment?.id,
    HOSTDECK_GRANT_ID: grant?.id,
    HOSTDECK_LINE: line,
    HOSTDECK_SERVICE_ADDRESS: address,
  };
  return Object.fromEntries(
    Object.entries(values).map(([name, value = '']) => [
      name,
      sanitize(value.slice(0, longestValue), { tab: 'keep' }),
    ]),
  );
}

/** Ends a process and those of its group, which may have ended meanwhile. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Its end is about to be reported.
  }
}
