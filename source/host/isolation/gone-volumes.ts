/** The volumes, outside of data folders, of hosts whose data folders are gone. */
import { Folder } from '../files/folder.ts';
import { removeTree } from '../files/tree-removal.ts';

/** Time for which volumes are kept without their host: its disk may only be missing for a while. */
const keepMs = 7 * 24 * 60 * 60 * 1000;

/** Matches the name of volumes that were set aside: the host's identity and the time of it. */
const asideName = /^([\da-f]+)\.gone\.(\d+)$/;

/**
 * Sets the volumes of gone hosts aside, removes those that were set aside long ago, and brings back
 * those of a host that has returned. A failure leaves volumes where they are.
 *
 * @param folder has the volumes of each host in a folder named by its identity.
 * @param identity the host that starts.
 */
export async function sortGoneVolumes(
  folder: string,
  {
    identity,
    gone,
    now,
  }: {
    readonly identity: string;
    /** Identities of hosts whose data folders are gone. */
    readonly gone: readonly string[];
    /** Wall-clock time in ms since the epoch. */
    readonly now: number;
  },
): Promise<void> {
  await using volumes = await Folder.open(folder);
  if (!(volumes instanceof Folder)) return;
  for (const each of gone) {
    if (await volumes.removeEmptyTree(each)) continue;
    if ((await volumes.stat(each)) === undefined) continue;
    await volumes.moveTo(each, volumes, `${each}.gone.${now}`);
  }
  for (const { name } of await volumes.names()) {
    const [aside, host, since] = asideName.exec(name.toString()) ?? [];
    if (aside === undefined) continue;
    if (host === identity) {
      if ((await volumes.stat(identity)) === undefined)
        await volumes.moveTo(aside, volumes, identity);
    } else if (now - Number(since) > keepMs) await removeTree(volumes, aside);
  }
}
