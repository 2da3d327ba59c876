import { formatDecimal } from '../contract/decimal.ts';
import { systemClock } from './clock.ts';
import { ControlClient } from './control/control-client.ts';
import { controlPath } from './control/control-path.ts';
import { claimDataFolder } from './records/data-folder.ts';
import { readBalance, Wallets, walletAddress } from './money/wallets.ts';
import { openWhenFree } from './records/open-when-free.ts';
import { StartFailure } from './start-failure.ts';
import type { Storage } from './records/storage.ts';
import { Tokens } from './records/tokens.ts';

/**
 * Makes a token for a wallet, on a data folder that a host may be running on. Throws a
 * {@link StartFailure}, or a Refusal where the address is none.
 */
export async function issueToken(dataDir: string, wallet: string): Promise<string> {
  const address = walletAddress(wallet, 'wallet');
  return await administer(
    dataDir,
    (host) => host.token(address),
    (storage) => new Tokens(storage, systemClock).issue(address),
  );
}

/** Balance of a wallet as decimal text, after setting it when one is given. Throws likewise. */
export async function walletBalance(
  dataDir: string,
  wallet: string,
  balance?: string,
): Promise<string> {
  const address = walletAddress(wallet, 'wallet');
  const amount = balance === undefined ? undefined : readBalance(balance);
  return await administer(
    dataDir,
    (host) => host.wallet(address, balance),
    (storage) => {
      const wallets = new Wallets(storage);
      if (amount !== undefined) wallets.setBalance(address, amount);
      return formatDecimal(wallets.balance(address));
    },
  );
}

/** Asks the host that runs on the folder; where none does, works on the records itself. */
async function administer(
  dataDir: string,
  ask: (host: ControlClient) => Promise<string | undefined>,
  work: (storage: Storage) => string,
): Promise<string> {
  // A path with a typing error must not become a data folder, and a socket of another user's folder
  // must not be asked.
  claimDataFolder(dataDir, { make: false });
  // Between a look for a host and the lock one may start; then it is there at the second look.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const host = await ControlClient.connect(controlPath(dataDir));
    if (host !== undefined) {
      try {
        const answer = await ask(host);
        if (answer !== undefined) return answer;
      } finally {
        host.close();
      }
    }
    try {
      const storage = await openWhenFree(dataDir);
      try {
        return work(storage);
      } finally {
        storage.close();
      }
    } catch (error) {
      if (!(error instanceof StartFailure) || error.code !== 'locked') throw error;
    }
  }
  throw new StartFailure(
    'no-answer',
    `The host on ${dataDir} does not answer.`,
    'Try again; if that does not help, end that host.',
  );
}
