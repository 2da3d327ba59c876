/** The oldest Node that runs the console; `engines` of package.json says the same. */
const oldest = 24;

/** What to tell the person whose Node is too old; undefined where it is not. */
export function oldNode(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= oldest) return undefined;
  return `hostdeck needs Node ${oldest} or newer, this is ${version}.`;
}
