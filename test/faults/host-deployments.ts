import { idle, nodeService, type SdlService, sdlOf } from '../host/support/temporary-host.ts';
import { treeTeller } from './host-files.ts';
import { countedVolume, runCounter } from './host-volumes.ts';

/** Credits a second of the deployment that grants pay for. */
export const paidPrice = 1;

/** Writes some thousand lines a second, some of them long, in all kinds of letters. */
const flood = `
  let n = 0;
  setInterval(() => {
    let text = '';
    for (let i = 0; i < 15; i += 1) {
      n += 1;
      text += n % 400 === 0 ? 'long '.repeat(2000) + n + '\\n' : 'line ' + n + ' äöü 漢字 of ' + process.pid + '\\n';
    }
    process.stdout.write(text);
  }, 5)`;

/** Leaves a process behind in a session of its own, which makes others for some minutes. */
function leaving(stubborn: boolean): SdlService {
  const loop = 'i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); sleep 0.05; done';
  const left = `${stubborn ? 'trap "" TERM; ' : ''}${loop}`;
  return { command: ['sh', '-c'], args: [`setsid sh -c '${left}' & exec sleep 120`] };
}

/** The SDLs of a round. All processes have `mark` in their environment. */
export function deploymentsOf(mark: string, stubborn: boolean) {
  const marked = (services: Readonly<Record<string, SdlService>>, name: string): string => {
    const entries = Object.entries(services);
    return sdlOf(
      Object.fromEntries(entries.map(([key, each]) => [key, { ...each, env: [mark] }])),
      name,
    );
  };
  // Prices that leave a remainder each time.
  return {
    shop: marked(
      {
        // It counts before it tells its tree, for which the clients wait.
        web: nodeService(`${runCounter} ${treeTeller}`, {
          amount: '1000.333333',
          volumes: countedVolume,
        }),
        job: nodeService(flood, { amount: '7.000001' }),
      },
      'shop',
    ),
    broken: marked(
      {
        web: { command: ['sh', '-c'], args: ['echo up; exit 3'], amount: '0.1' },
        job: leaving(stubborn),
      },
      'broken',
    ),
    paid: marked({ web: { ...idle, amount: '5999999.999999' } }, 'paid'),
    spare: (name: string): string => marked({ web: { ...idle, amount: '333.1' } }, name),
  };
}
