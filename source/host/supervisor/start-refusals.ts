import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { WalletTrust } from '../isolation/wallet-trust.ts';
import type { ServiceRefusal, ServiceRules } from '../runtime/runtime.ts';

/** A stored or new deployment that is about to start. */
export interface StartCandidate {
  /** Wallet of its creator. */
  readonly owner: string;
  readonly services: readonly ServiceDefinition[];
}

/** The reason why a deployment may not start on this host. */
export interface StartRefusal extends ServiceRefusal {
  /** The refused service; undefined when the whole deployment is refused. */
  readonly service: ServiceDefinition | undefined;
}

/** The rules that decide whether a deployment may start. */
export interface StartRules {
  readonly runtime: Pick<ServiceRules, 'checkService'>;
  readonly trust: Pick<WalletTrust, 'refusal'>;
}

/**
 * Returns every reason why a deployment may not start on this host. The same rules apply to new
 * deployments, to stored ones at the start of the host, and to restarts. A reason holds until the
 * definition or the options of the host change.
 */
export function findStartRefusals(
  { runtime, trust }: StartRules,
  { owner, services }: StartCandidate,
): readonly StartRefusal[] {
  const refused = services.flatMap((service) => {
    const refusal = runtime.checkService(service);
    return refusal === undefined ? [] : [{ ...refusal, service }];
  });
  const distrusted = services
    .map(({ image }) => trust.refusal(owner, { isContainer: image !== undefined }))
    .find((sentence) => sentence !== undefined);
  if (distrusted === undefined) return refused;
  return [
    ...refused,
    { service: undefined, expected: 'a wallet that this host trusts', sentence: distrusted },
  ];
}
