import { whyNot, writeAtomically } from '../disk/atomic-file.ts';
import type { SwitchProblem } from '../store/deck/connection.ts';
import type { ServiceConnection } from './host-connection.ts';
import { connect } from './session.ts';

/** Returns the connection with another token, which counts for this session. */
export function withToken(service: ServiceConnection, token: string): ServiceConnection {
  const profile = { ...service.profile, tokenSource: ':token' };
  return { ...service, token, profile, notice: undefined };
}

/** Lists the deployments with another token. Returns why it can't be used. */
export async function tryToken(service: ServiceConnection): Promise<SwitchProblem | undefined> {
  const { client } = connect(service);
  const answer = await client.deployments.list();
  await client.close();
  if (answer.ok) return undefined;
  const { code, sentence, next } = answer.error;
  if (code !== 'unauthorized') return { sentence, next: code === 'local' ? '' : next };
  return { sentence: 'The service rejected this token too (401).', next: ':token tries another.' };
}

/** Writes a token to a file that only its owner may read. */
export async function storeToken(file: string, token: string): Promise<SwitchProblem | undefined> {
  try {
    await writeAtomically(file, `${token}\n`);
    return undefined;
  } catch (error) {
    return { sentence: `Can't store the token in ${file}: ${whyNot(error)}.`, next: '' };
  }
}
