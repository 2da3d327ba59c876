import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Storage } from './records/storage.ts';
import type { Tokens } from './records/tokens.ts';

/** The wallet of the person at this machine, made at the first start. */
export function localWallet(storage: Storage): string {
  const known = storage.readMeta('wallet');
  if (known !== undefined) return known;
  const wallet = `0x${randomBytes(20).toString('hex')}`;
  storage.writeMeta('wallet', wallet);
  return wallet;
}

/**
 * The local wallet's token. The same one over restarts, so that a console that stays open goes on
 * after them: that takes a file, since the records hold its hash only.
 */
export function localToken(dataDir: string, wallet: string, tokens: Tokens): string {
  const file = path.join(dataDir, 'local-token');
  const known = readIfThere(file);
  if (known !== undefined && tokens.walletOf(known) === wallet) return known;
  const token = tokens.issue(wallet);
  const temporary = `${file}.new`;
  // The mode is given to a new file only.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, token, { flag: 'wx', mode: 0o600 });
  renameSync(temporary, file);
  return token;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
