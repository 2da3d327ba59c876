import type { SdlField } from './field.ts';
import type { SdlReader } from './reader.ts';
import { quoteName, formatPlainText } from './shown-value.ts';

/** Name of the root volume of a service, which has no name in the SDL. */
const unnamed = 'default';

/**
 * Reports each persistent volume of a compute profile that the service does not mount, because its
 * data would be lost with a restart.
 */
export function reportUnmountedVolumes(
  reader: SdlReader,
  service: { readonly name: string; readonly field: SdlField | undefined },
  profile: SdlField,
): void {
  // An unknown service is reported elsewhere.
  if (service.field === undefined) return;
  const mounts = child(reader, child(reader, service.field, 'params'), 'storage');
  const storage = child(reader, child(reader, profile, 'resources'), 'storage');
  if (storage === undefined) return;
  const volumes = reader.isList(storage) ? (reader.items(storage, '') ?? []) : [storage];
  for (const volume of volumes) {
    const persistent = child(reader, child(reader, volume, 'attributes'), 'persistent');
    if (persistent === undefined || textOf(reader, persistent)?.toLowerCase() !== 'true') continue;
    const name = textOf(reader, child(reader, volume, 'name')) ?? unnamed;
    const mount = textOf(reader, child(reader, child(reader, mounts, name), 'mount'));
    if (mount !== undefined && mount !== '') continue;
    reader.reportKey(
      persistent,
      `a mount in params.storage.${formatPlainText(name)} of service ${formatPlainText(service.name)}`,
      () =>
        `Volume ${quoteName(name)} is persistent, so service ${quoteName(service.name)} needs params.storage.${name.slice(0, 40)} with a mount.`,
    );
  }
}

function child(reader: SdlReader, field: SdlField | undefined, key: string): SdlField | undefined {
  return field !== undefined && reader.isMap(field)
    ? reader.entries(field, '')?.get(key)
    : undefined;
}

/** Returns the text of a scalar; undefined for other values, which are reported elsewhere. */
function textOf(reader: SdlReader, field: SdlField | undefined): string | undefined {
  const isText =
    field !== undefined && !reader.isEmpty(field) && !reader.isMap(field) && !reader.isList(field);
  return isText ? reader.text(field, '') : undefined;
}
