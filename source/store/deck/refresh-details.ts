import type { Result } from '../../client/http/errors.ts';
import type { DeploymentsStore } from '../deployments/deployments.ts';
import type { ScreenStore } from './screen/screen.ts';

/** Fetches the deployment that pane 4 shows, if it shows one. */
export async function refreshDetails(
  screen: Pick<ScreenStore, 'getState'>,
  deployments: Pick<DeploymentsStore, 'fetch'>,
): Promise<Result<void>> {
  const { main } = screen.getState();
  if (main.kind === 'deployment') return deployments.fetch(main.id);
  return { ok: true, value: undefined };
}
