import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** Returns the fields of a deployment and of its services as the service sends them, for a JSON record. */
export function deploymentFields({
  value,
  unknown,
}: Pick<DecodedRecord<Deployment>, 'value' | 'unknown'>): Readonly<Record<string, unknown>> {
  const services = value.services.map(({ otherFields, ...service }) =>
    // Ports that come from the SDL are in the SDL of the record.
    Object.assign({}, otherFields, service, { exposes: undefined }),
  );
  return { ...value, services, ...unknown };
}
