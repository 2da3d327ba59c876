/** Oldest major version of Node that runs hostdeck; the same as `engines` in package.json. */
const oldest = 24;

/** Returns the message for a Node that is too old; undefined for a Node that is new enough. */
export function oldNode(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldest) return undefined;
  return `hostdeck needs Node ${oldest} or newer, this is ${version}.`;
}
