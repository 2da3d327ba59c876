import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Storage } from './records/storage.ts';
import type { Tokens } from './records/tokens.ts';

/** Returns the wallet of this machine's user, creating it at the first start. */
export function loadLocalWallet(storage: Storage): string {
  const stored = storage.readMeta('wallet');
  if (stored !== undefined) return stored;
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  storage.writeMeta('wallet', wallet);
  return wallet;
}

/**
 * Returns the token of the local wallet, creating it if necessary. A file keeps the token across
 * restarts, since the storage has only its hash; an open console continues after a restart.
 */
export function loadLocalToken(dataDir: string, wallet: string, tokens: Tokens): string {
  const file = path.join(dataDir, 'local-token');
  const stored = readIfExists(file);
  if (stored !== undefined && tokens.walletOf(stored) === wallet) return stored;
  const token = tokens.issue(wallet);
  const temporary = `${file}.new`;
  // The mode applies only to a new file.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, token, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
  return token;
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
