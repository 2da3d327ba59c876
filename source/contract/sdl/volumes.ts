/** Reads the volumes of a service: the storage that it mounts. */
import type { VolumeDefinition, VolumeKind } from './definition.ts';
import type { SdlField } from './field.ts';
import { checkKeys } from './keys.ts';
import { findMountMistake, isInside, normaliseMount } from './mount-path.ts';
import { formatSuggestion } from './near-name.ts';
import { child, type ProfileStorage, textOf } from './profile-storage.ts';
import type { SdlReader } from './reader.ts';
import { formatPlainText, quoteName } from './shown-text.ts';

/** The storage of the compute profile of each placement of a service, by name. */
export type PlacedStorage = readonly ReadonlyMap<string, ProfileStorage>[];

/** The properties of a service that its volumes depend on. */
export interface MountingService {
  readonly name: string;
  /** True for a service with an image, which has a file system of its own. */
  readonly hasImage: boolean;
  readonly storage: PlacedStorage;
}

/** Volume names become folder names. */
const volumeName = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;

/** Largest number of volumes of a service. */
const maxVolumes = 32;

/**
 * Reads `params.storage` and reports volumes that can't be mounted. A volume of SDL 2.2 that outlives
 * deployments (`volume`) is recorded as a part that a host may not support.
 */
export function readVolumes(
  reader: SdlReader,
  storage: SdlField | undefined,
  service: MountingService,
): readonly VolumeDefinition[] {
  const field = reader.optional(storage);
  const entries = field && reader.entries(field, 'a map of volumes by name');
  if (field === undefined || entries === undefined) return [];
  if (entries.size > maxVolumes) {
    const sentence = () => `A service can mount at most ${maxVolumes} volumes.`;
    reader.reportKey(field, `at most ${maxVolumes} volumes`, sentence);
    return [];
  }
  const mounted: VolumeDefinition[] = [];
  for (const entry of entries.values()) {
    const volume = readVolume(reader, entry, service);
    if (volume === undefined) continue;
    reportClash(reader, entry, volume, mounted);
    mounted.push(volume);
  }
  return mounted;
}

function readVolume(
  reader: SdlReader,
  field: SdlField,
  service: MountingService,
): VolumeDefinition | undefined {
  const { name } = field;
  const entries = reader.entries(field, 'a map with mount');
  if (entries === undefined) return undefined;
  const plainName = formatPlainText(name);
  const known = ['readOnly', 'volume'];
  const keys = { required: ['mount'], known, decisive: ['readOnly'] };
  checkKeys(reader, { field, entries, name: plainName }, keys);
  const mount = readMount(reader, entries.get('mount'), service.hasImage);
  const readOnlyField = reader.optional(entries.get('readOnly'));
  const readOnly = readOnlyField !== undefined && reader.boolean(readOnlyField, 'true or false');
  const reference = reader.optional(entries.get('volume'));
  if (reference !== undefined) {
    reader.addPart(reference, 'params.storage.volume');
    return undefined;
  }
  if (!volumeName.test(name)) {
    const rule =
      'at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';
    reader.reportKey(
      field,
      `a volume name of ${rule}`,
      () => `A volume name must have ${rule}, unlike ${quoteName(name)}.`,
    );
  }
  const lacking = service.storage.find((storage) => !storage.has(name));
  if (lacking !== undefined) {
    reader.reportKey(
      field,
      `storage named ${plainName} in the compute profile of ${formatPlainText(service.name)}`,
      () =>
        `Volume ${quoteName(name)} is not in the storage of the compute profile of service ${quoteName(service.name)}.${formatSuggestion(name, lacking.keys())}`,
    );
  }
  if (mount === undefined || readOnly === undefined) return undefined;
  const all = service.storage.flatMap((storage) => storage.get(name) ?? []);
  const sizes = all.flatMap(({ size }) => size ?? []);
  const size = sizes.length === 0 ? undefined : Math.max(...sizes);
  return { name, mount, readOnly, kind: strongestKind(all), size };
}

function readMount(
  reader: SdlReader,
  field: SdlField | undefined,
  hasImage: boolean,
): string | undefined {
  const text = field && reader.text(field, 'a path that starts with /');
  if (field === undefined || text === undefined) return undefined;
  const expected = findMountMistake(text, hasImage);
  return expected === undefined ? normaliseMount(text) : reader.reportValue(field, expected);
}

/** Reports a path, or a variable, that the volume would share with an earlier one. */
function reportClash(
  reader: SdlReader,
  field: SdlField,
  { name, mount }: VolumeDefinition,
  earlier: readonly VolumeDefinition[],
): void {
  const place = child(reader, field, 'mount') ?? field;
  for (const other of earlier) {
    const names = `${quoteName(other.name)} and ${quoteName(name)}`;
    if (other.mount === mount) {
      const sentence = () => `Volumes ${names} are both mounted at ${formatPlainText(mount)}.`;
      reader.reportValue(place, 'a path of its own', sentence);
    } else if (isInside(mount, other.mount) || isInside(other.mount, mount)) {
      reader.reportValue(
        place,
        'a path outside of all other volumes',
        () =>
          `Volumes ${names} are mounted one inside the other, at ${formatPlainText(other.mount)} and ${formatPlainText(mount)}.`,
      );
    }
    const variable = volumeVariable(name);
    if (volumeVariable(other.name) === variable) {
      const sentence = () => `Volumes ${names} would share the variable ${variable}.`;
      reader.reportKey(field, 'a name that differs in a letter or digit', sentence);
    }
  }
}

/** Returns the kind that keeps the data longest where placements differ. */
function strongestKind(all: readonly ProfileStorage[]): VolumeKind {
  const kinds = new Set(all.map(({ kind }) => kind));
  if (kinds.has('persistent')) return 'persistent';
  return kinds.size === 1 && kinds.has('memory') ? 'memory' : 'temporary';
}

/**
 * Reports each persistent volume of a compute profile that the service does not mount, because its
 * data would be lost with a restart.
 */
export function reportUnmountedVolumes(
  reader: SdlReader,
  service: { readonly name: string; readonly field: SdlField | undefined },
  storage: ReadonlyMap<string, ProfileStorage>,
): void {
  // An unknown service is reported elsewhere.
  if (service.field === undefined) return;
  const mounts = child(reader, child(reader, service.field, 'params'), 'storage');
  for (const [name, { persistent }] of storage) {
    if (persistent === undefined) continue;
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

/**
 * Returns the variable that tells a service the path of a volume: `HOSTDECK_VOLUME_` and the name in
 * upper case, with `_` for all characters but letters and digits.
 */
export function volumeVariable(name: string): string {
  return `HOSTDECK_VOLUME_${name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}
