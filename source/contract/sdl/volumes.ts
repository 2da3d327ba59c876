import type { SdlField } from './field.ts';
import type { SdlReader } from './reader.ts';
import { quoted, shownText } from './shown-value.ts';

/** Name of a volume that has none: it is what the service itself lies on. */
const unnamed = 'default';

/**
 * Notes each persistent volume of a compute profile that the service mounts nowhere: what it writes
 * would not be there after a restart.
 */
export function refuseUnmounted(
  reader: SdlReader,
  service: { readonly name: string; readonly field: SdlField | undefined },
  profile: SdlField,
): void {
  // A service that is not there is noted as that.
  if (service.field === undefined) return;
  const mounts = below(reader, below(reader, service.field, 'params'), 'storage');
  const storage = below(reader, below(reader, profile, 'resources'), 'storage');
  if (storage === undefined) return;
  const volumes = reader.isList(storage) ? (reader.items(storage, '') ?? []) : [storage];
  for (const volume of volumes) {
    const persistent = below(reader, below(reader, volume, 'attributes'), 'persistent');
    if (persistent === undefined || textOf(reader, persistent)?.toLowerCase() !== 'true') continue;
    const name = textOf(reader, below(reader, volume, 'name')) ?? unnamed;
    const mount = textOf(reader, below(reader, below(reader, mounts, name), 'mount'));
    if (mount !== undefined && mount !== '') continue;
    reader.failKey(
      persistent,
      `a mount in params.storage.${shownText(name)} of service ${shownText(service.name)}`,
      () =>
        `volume ${quoted(name)} is persistent: service ${quoted(service.name)} needs params.storage.${name.slice(0, 40)} with a mount.`,
    );
  }
}

function below(reader: SdlReader, field: SdlField | undefined, key: string): SdlField | undefined {
  return field !== undefined && reader.isMap(field)
    ? reader.entries(field, '')?.get(key)
    : undefined;
}

/** Undefined where it is no text, which others note. */
function textOf(reader: SdlReader, field: SdlField | undefined): string | undefined {
  const isText =
    field !== undefined && !reader.isEmpty(field) && !reader.isMap(field) && !reader.isList(field);
  return isText ? reader.text(field, '') : undefined;
}
