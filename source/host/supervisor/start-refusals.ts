import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { Runtime, ServiceRefusal } from '../runtime/runtime.ts';

/** A deployment that is to start: stored, or about to be made. */
export interface Startable {
  /** Wallet of whoever made it. */
  readonly owner: string;
  readonly services: readonly ServiceDefinition[];
}

/** Why a deployment may not start on this host. */
export interface StartRefusal extends ServiceRefusal {
  /** The service that is refused; undefined where the whole deployment is. */
  readonly service: ServiceDefinition | undefined;
}

/**
 * Returns every reason why a deployment may not start on this host, none where it may. The one
 * rule for new deployments, for stored ones at the start of the host, and for restarts; a reason
 * holds until the definition or the options of the host change.
 */
export function startRefusals(runtime: Runtime, { services }: Startable): readonly StartRefusal[] {
  return services.flatMap((service) => {
    const refusal = runtime.refusal(service);
    return refusal === undefined ? [] : [{ ...refusal, service }];
  });
}
