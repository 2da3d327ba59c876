/** Oldest major version of Node that runs hostdeck; the same as `engines` in package.json. */
const oldest = 24;

/**
 * Returns why hostdeck can't run here, and what to do; undefined if it can.
 * @param platform of `process.platform`.
 * @param version of Node, like `24.1.0`.
 */
export function platformObstacle(platform: string, version: string): string | undefined {
  if (platform === 'win32') {
    return "hostdeck doesn't run on Windows itself. Install and start it inside WSL.";
  }
  if (Number.parseInt(version, 10) >= oldest) return undefined;
  return (
    `hostdeck needs Node ${oldest} or newer, this is ${version}. ` +
    'Install Node 26, or use the hostdeck archive for Linux, which brings its own Node.'
  );
}
