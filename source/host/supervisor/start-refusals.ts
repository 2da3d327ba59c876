import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { WalletTrust } from '../isolation/wallet-trust.ts';
import type { Runtime, ServiceRefusal } from '../runtime/runtime.ts';

/** A deployment that is to start: stored, or about to be made. */
export interface Startable {
  /** Wallet of whoever made it. */
  readonly owner: string;
  readonly services: readonly ServiceDefinition[];
}

/** The reason why a deployment may not start on this host. */
export interface StartRefusal extends ServiceRefusal {
  /** The service that is refused; undefined where the whole deployment is. */
  readonly service: ServiceDefinition | undefined;
}

/** The rules that decide whether a deployment may start. */
export interface StartRules {
  readonly runtime: Pick<Runtime, 'refusal'>;
  readonly trust: Pick<WalletTrust, 'refusal'>;
}

/**
 * Returns every reason why a deployment may not start on this host, none where it may. The one
 * rule for new deployments, for stored ones at the start of the host, and for restarts; a reason
 * holds until the definition or the options of the host change.
 */
export function startRefusals(
  { runtime, trust }: StartRules,
  { owner, services }: Startable,
): readonly StartRefusal[] {
  const refused = services.flatMap((service) => {
    const refusal = runtime.refusal(service);
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
