import { formatDecimal } from '../contract/decimal.ts';
import { systemClock } from './clock.ts';
import { ControlClient } from './control/control-client.ts';
import { controlSocketPath } from './control/control-path.ts';
import { claimDataFolder } from './records/data-folder.ts';
import { parseBalance, Wallets, parseWalletAddress } from './money/wallets.ts';
import { openStorageWhenFree } from './records/open-when-free.ts';
import { StartFailure } from './start-failure.ts';
import type { Storage } from './records/storage.ts';
import { Tokens } from './records/tokens.ts';

/**
 * Creates a token for a wallet in a data folder, whether or not a host is running on it. Throws a
 * {@link StartFailure}, or a Refusal when the address is invalid.
 */
export async function issueToken(dataDir: string, wallet: string): Promise<string> {
  const address = parseWalletAddress(wallet, 'wallet');
  return await administer(
    dataDir,
    (host) => host.token(address),
    (storage) => new Tokens(storage, systemClock).issue(address),
  );
}

/**
 * Returns the balance of a wallet as decimal text, after setting it when `balance` is given. Throws
 * like {@link issueToken}.
 */
export async function walletBalance(
  dataDir: string,
  wallet: string,
  balance?: string,
): Promise<string> {
  const address = parseWalletAddress(wallet, 'wallet');
  const amount = balance === undefined ? undefined : parseBalance(balance);
  return await administer(
    dataDir,
    (host) => host.wallet(address, balance),
    (storage) => {
      const wallets = new Wallets(storage);
      if (amount !== undefined) wallets.setBalance(address, amount);
      return formatDecimal(wallets.getBalance(address));
    },
  );
}

/**
 * Sends a request to the host on this folder; without a host, runs `work` on its storage. A request
 * that resolves with undefined got no answer.
 */
export async function administer<T>(
  dataDir: string,
  request: (host: ControlClient) => Promise<T | undefined>,
  work: (storage: Storage) => T | Promise<T>,
): Promise<T> {
  // A mistyped path must not become a data folder, and no request may go to the socket in another
  // user's folder.
  claimDataFolder(dataDir, { make: false });
  // A host may start between the connection attempt and the lock; the second attempt reaches it.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const host = await ControlClient.connect(controlSocketPath(dataDir));
    if (host !== undefined) {
      try {
        const answer = await request(host);
        if (answer !== undefined) return answer;
      } finally {
        host.close();
      }
    }
    try {
      const storage = await openStorageWhenFree(dataDir);
      try {
        return await work(storage);
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
    'Try again; if that does not help, stop that host.',
  );
}
