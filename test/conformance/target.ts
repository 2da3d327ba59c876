import { readFileSync } from 'node:fs';
import type { StreamAuthMode } from '../../source/client/stream/log-stream.ts';
import type { PathForm } from '../../source/contract/routes.ts';

/** An external service, with its variants where the contract leaves a choice. */
export interface ForeignTarget {
  readonly baseUrl: string;
  readonly token: string;
  readonly secondToken: string | undefined;
  /** True for hostdeck's own host in another process. */
  readonly isOurs: boolean;
  /** Definition to use instead of one that runs the suite's programs. */
  readonly sdl: string | undefined;
  /** Image of the suite's programs. */
  readonly image: string;
  readonly pathForm: PathForm;
  readonly streamAuth: StreamAuthMode;
  /** Address of the grantee; nobody spends from the grants. */
  readonly grantee: string;
}

/** Address without an owner: most services accept forty hexadecimal digits. */
const placeholder = '0xc0ffee00c0ffee00c0ffee00c0ffee00c0ffee00';

/** The external service of `run.ts`; undefined if the suite starts a host. */
export const foreignTarget: ForeignTarget | undefined = read(process.env);

function read(env: NodeJS.ProcessEnv): ForeignTarget | undefined {
  const baseUrl = env['CONFORMANCE_BASE_URL'];
  if (baseUrl === undefined) return undefined;
  const sdlFile = env['CONFORMANCE_SDL'];
  return {
    baseUrl,
    token: env['HOSTDECK_TOKEN'] ?? '',
    secondToken: env['HOSTDECK_SECOND_TOKEN'],
    isOurs: env['CONFORMANCE_OURS'] === 'true',
    sdl: sdlFile === undefined ? undefined : readFileSync(sdlFile, 'utf8'),
    image: env['CONFORMANCE_IMAGE'] ?? 'node:24',
    pathForm: env['CONFORMANCE_PATH_FORM'] === 'whole' ? 'whole' : 'segments',
    streamAuth: authOf(env['HOSTDECK_STREAM_AUTH']),
    grantee: env['CONFORMANCE_GRANTEE'] ?? placeholder,
  };
}

function authOf(word: string | undefined): StreamAuthMode {
  return word === 'query' || word === 'subprotocol' ? word : 'header';
}

/** Requirements of a test beyond the contract. */
export type Need = keyof typeof reasons;

/** Reasons to skip a test of a service without a requirement. */
const reasons = {
  ours: "the contract is silent; this is our host's own answer",
  'second wallet': 'needs the token of a second wallet in HOSTDECK_SECOND_TOKEN',
  programs: "needs to run the suite's own programs, which --sdl replaced",
  balances: 'needs wallets whose balances can be set, and the contract does not show who pays',
} as const;

/** Returns the reason to skip a test; undefined if it can run. */
export function reasonNotToAsk(needs: readonly Need[]): string | undefined {
  const need = needs.find((each) => !has(foreignTarget, each));
  return need === undefined ? undefined : reasons[need];
}

function has(target: ForeignTarget | undefined, need: Need): boolean {
  if (target === undefined) return true;
  switch (need) {
    case 'ours':
      return target.isOurs;
    case 'second wallet':
      return target.secondToken !== undefined;
    case 'programs':
      return target.sdl === undefined;
    case 'balances':
      return false;
  }
}
