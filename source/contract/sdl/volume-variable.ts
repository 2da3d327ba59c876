/**
 * Returns the variable that tells a service the path of a volume: `HOSTDECK_VOLUME_` and the name in
 * upper case, with `_` for all characters but letters and digits.
 */
export function volumeVariable(name: string): string {
  return `HOSTDECK_VOLUME_${name.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}
