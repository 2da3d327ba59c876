/** Looks at the service and plans a sync, reading the files whose content decides. */
import type { Result } from '../../client/http/errors.ts';
import type { SyncBase, SyncedContent } from '../../disk/sync-bases.ts';
import { planSync, type RemoteTree, type SyncInput, type SyncPlan } from './plan-sync.ts';
import type { RemoteFiles } from './remote-files.ts';

/** A complete plan, and how much the times of the list told. */
export interface PreparedSync {
  readonly plan: SyncPlan;
  readonly remote: RemoteTree;
  /** True where files had other times than after the last sync, and none had changed. */
  readonly hasFalseTimes: boolean;
}

/** Files with another time and an equal content after which times of a service tell nothing. */
const falseTimes = 5;

/** Lists the files of the service, and plans until every content that decides is known. */
export async function prepareSync(
  remoteFiles: RemoteFiles,
  input: Omit<SyncInput, 'remote'>,
): Promise<Result<PreparedSync>> {
  const listed = await remoteFiles.list();
  if (!listed.ok) return listed;
  let remote = listed.value;
  let plan = planSync({ ...input, remote });
  const read: string[] = [];
  while (plan.unread.length > 0) {
    read.push(...plan.unread);
    const contents = await remoteFiles.contents(plan.unread, sizesOf(plan.unread, remote, input));
    if (!contents.ok) return contents;
    remote = withContents(remote, plan.unread, contents.value);
    plan = planSync({ ...input, remote });
  }
  const { local, base } = input;
  const hasEqual = (path: string): boolean => {
    const content = base.get(path)?.content;
    return content !== undefined && content.hash === remote.files.get(path)?.content?.hash;
  };
  const unchanged = read.filter((path) => hasSameHash(local.get(path), base, path));
  const hasFalseTimes = unchanged.length >= falseTimes && unchanged.every(hasEqual);
  return { ok: true, value: { plan, remote, hasFalseTimes } };
}

function hasSameHash(content: SyncedContent | undefined, base: SyncBase, path: string): boolean {
  return content !== undefined && content.hash === base.get(path)?.content?.hash;
}

/** Returns the sizes of remote files: as listed, else as large as the local or synced ones. */
function sizesOf(
  paths: readonly string[],
  remote: RemoteTree,
  { local, base }: Omit<SyncInput, 'remote'>,
): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>();
  for (const path of paths) {
    const known = [local.get(path)?.size, base.get(path)?.content?.size];
    const size = remote.files.get(path)?.size ?? Math.max(...known.map((each) => each ?? 0));
    sizes.set(path, size);
  }
  return sizes;
}

function withContents(
  remote: RemoteTree,
  paths: readonly string[],
  contents: ReadonlyMap<string, SyncedContent>,
): RemoteTree {
  const files = new Map(remote.files);
  for (const path of paths) {
    const content = contents.get(path);
    files.set(path, { ...files.get(path), content, isUnreadable: content === undefined });
  }
  return { ...remote, files };
}
