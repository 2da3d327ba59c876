import { copyFile, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { walletBalance } from '../../source/host/administration.ts';
import { wrongInTheEnd } from '../support/bounded-wait.ts';
import type { Caller } from '../host/support/temporary-host.ts';
import { deploymentIn, fieldOf } from '../host/support/bodies.ts';
import type { HostClock } from './host-clock.ts';
import { isRefused, type Line } from './host-files.ts';
import type { MoneyAction } from './host-plan.ts';

/** A grant in the answer of the host; amounts of this size are exact enough as numbers. */
interface Listed {
  readonly id: string;
  readonly limit: number;
  readonly spent: number;
  readonly expires_at: string;
  readonly revoked_at?: string;
  readonly status?: string;
}

interface Known {
  readonly limit: number;
  revoked: 'no' | 'asked' | 'yes';
  seenSpent: number;
}

/** Ms in which a deployment is suspended or resumed, with time for a machine that is busy. */
const settlesWithin = 8_000;

/** Someone who pays for a deployment of another wallet, which has little itself. */
export class MoneyClient {
  readonly #dataDir: string;
  readonly #clock: HostClock;
  readonly #poor: Caller;
  readonly #deployment: string;
  /** The cost of a second. */
  readonly #price: number;
  readonly #known = new Map<string, Known>();
  #asked: number | undefined;

  /** `poor` owns the deployment. */
  constructor(parts: {
    readonly dataDir: string;
    readonly clock: HostClock;
    readonly poor: Caller;
    readonly deployment: string;
    readonly price: number;
  }) {
    this.#dataDir = parts.dataDir;
    this.#clock = parts.clock;
    this.#poor = parts.poor;
    this.#deployment = parts.deployment;
    this.#price = parts.price;
  }

  async act(action: MoneyAction, line: Line): Promise<void> {
    switch (action.kind) {
      case 'wait':
        await sleep(action.milliseconds);
        for (const grant of await this.#list(line)) this.#see(grant);
        return;
      case 'jump':
        await this.#clock.jump(action.milliseconds);
        return;
      case 'grant': {
        const limit = action.hundredths / 100;
        const expires_at = new Date(this.#clock.now() + action.milliseconds).toISOString();
        this.#asked = limit;
        line.onSend('grant');
        const json = { grantee: this.#poor.wallet, limit, expires_at };
        const since = performance.now();
        const answer = await line.call('createGrant', { json });
        if (isRefused(line, answer.status, since)) {
          this.#asked = undefined;
          line.onRefused();
          return;
        }
        const grant = fieldOf(answer, 'grant') as Listed;
        this.#known.set(grant.id, { limit, revoked: 'no', seenSpent: 0 });
        this.#asked = undefined;
        return;
      }
      case 'revoke': {
        const active = [...this.#known].filter(([, { revoked }]) => revoked === 'no');
        const [id, known] = active[action.at % active.length] ?? [];
        if (id === undefined || known === undefined) return;
        known.revoked = 'asked';
        line.onSend('revoke');
        fieldOf(await line.call('revokeGrant', { id }), 'grant');
        known.revoked = 'yes';
        return;
      }
    }
  }

  /** Grants are as answered, nothing that was seen to be spent came back, and who can pay runs. */
  async check(line: Line): Promise<void> {
    const listed = await this.#list(line);
    for (const [id, known] of this.#known) {
      const grant = listed.find((each) => each.id === id);
      if (grant === undefined) {
        line.onBroken('a grant that was made is not there');
        continue;
      }
      const isRevoked = grant.revoked_at !== undefined;
      if (isRevoked !== (known.revoked === 'yes') && known.revoked !== 'asked') {
        line.onBroken(`a grant is revoked: ${isRevoked}, by the answers: ${known.revoked}`);
      }
      known.revoked = isRevoked ? 'yes' : 'no';
      if (grant.limit !== known.limit) line.onBroken(`the limit of a grant is ${grant.limit}`);
      if (grant.spent < known.seenSpent) {
        line.onBroken(`${known.seenSpent} of a grant was spent, now it is ${grant.spent}`);
      }
    }
    const more = listed.filter(({ id }) => !this.#known.has(id));
    const isAsked = more.length === 1 && more[0]?.limit === this.#asked;
    if (more.length > 0 && !isAsked) line.onBroken(`${more.length} grants nobody made`);
    this.#asked = undefined;
    for (const grant of listed) this.#see(grant);
    await this.#settle(line);
  }

  /** Waits until the deployment runs just when somebody can pay for it. */
  async #settle(line: Line): Promise<void> {
    const look = async () => {
      const payable = await this.#payable(line);
      const { state } = deploymentIn(
        await this.#poor.call('getDeployment', { id: this.#deployment }),
      );
      const isSuspended = state === 'suspended';
      if (isSuspended === payable < this.#price) return undefined;
      // A suspended deployment pays first what it ran unpaid, which is more where a host starts slowly.
      const owed = isSuspended ? await owedBy(this.#deployment, this.#dataDir) : 0;
      if (isSuspended && payable < owed + this.#price) return undefined;
      return `with ${payable} to pay with a deployment that owes ${owed} is ${state}`;
    };
    const wrong = await wrongInTheEnd(look, { within: settlesWithin, every: 50 });
    if (wrong !== undefined) line.onBroken(wrong);
  }

  async #payable(line: Line): Promise<number> {
    const own = Number(await walletBalance(this.#dataDir, this.#poor.wallet));
    // A grant that was seen to be expired stays so, whatever the clock says later.
    const active = (await this.#list(line)).filter(
      ({ revoked_at, expires_at, status }) =>
        revoked_at === undefined &&
        status !== 'expired' &&
        Date.parse(expires_at) > this.#clock.now(),
    );
    return active.reduce((sum, { limit, spent }) => sum + limit - spent, own);
  }

  async #list(line: Line): Promise<readonly Listed[]> {
    return fieldOf(await line.call('listGrants'), 'grants') as readonly Listed[];
  }

  #see({ id, limit, spent, revoked_at }: Listed) {
    const known = this.#known.get(id);
    if (known !== undefined) known.seenSpent = Math.max(known.seenSpent, spent);
    else
      this.#known.set(id, {
        limit,
        revoked: revoked_at === undefined ? 'no' : 'yes',
        seenSpent: spent,
      });
  }
}

/**
 * Returns what a deployment owes by a copy of the records, as the host keeps them locked; not a number
 * where the host wrote while they were copied.
 */
async function owedBy(deployment: string, dataDir: string): Promise<number> {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'hostdeck-records-'));
  for (const name of ['host.db', 'host.db-wal']) {
    await copyFile(path.join(dataDir, name), path.join(folder.path, name));
  }
  try {
    using records = new DatabaseSync(path.join(folder.path, 'host.db'));
    const row = records.prepare('select owed from deployments where id = ?').get(deployment);
    return Number(row?.['owed']);
  } catch {
    return Number.NaN;
  }
}
