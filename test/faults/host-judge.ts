/** Contents of files by their path. */
export type Tree = ReadonlyMap<string, string>;

/** A line of a log as somebody was given it. */
export interface SeenLine {
  readonly id: number;
  readonly text: string;
}

/** The trees of which one must exist, whole. The first is the one of the last answer. */
export type PossibleTrees = readonly [Tree, ...Tree[]];

/** Returns the tree that was found; undefined, and the differences, when it is none of them. */
export function judgeTree(
  what: string,
  possible: PossibleTrees,
  found: Tree,
): { readonly tree: Tree | undefined; readonly broken: readonly string[] } {
  const tree = possible.find((each) => isSame(each, found));
  if (tree !== undefined) return { tree, broken: [] };
  const differences = possible.map((each) => difference(each, found));
  return {
    tree: undefined,
    broken: [`${what} is none of ${possible.length}: ${differences.join(' / ')}`],
  };
}

function isSame(one: Tree, other: Tree): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}

function difference(expected: Tree, found: Tree): string {
  const paths = [...new Set([...expected.keys(), ...found.keys()])];
  const wrong = paths.filter((path) => expected.get(path) !== found.get(path));
  const shown = wrong.slice(0, 3).map((path) => {
    const [has, should] = [found.get(path), expected.get(path)].map(short);
    return `${path} is ${has} instead of ${should}`;
  });
  return `${shown.join(', ')}${wrong.length > 3 ? `, ${wrong.length - 3} more` : ''}`;
}

function short(text: string | undefined): string {
  return text === undefined ? 'absent' : `${text.slice(0, 12)}… (${text.length})`;
}

/** Holds the stored lines of a log, oldest first, against what was seen of it before. */
export function judgeLog(
  what: string,
  seen: readonly SeenLine[],
  stored: readonly SeenLine[],
): readonly string[] {
  const broken: string[] = [];
  for (const [index, { id }] of stored.entries()) {
    if (id === index + 1) continue;
    broken.push(`${what}: line ${id} is the ${index + 1}th`);
    break;
  }
  const lost = seen.filter(({ id, text }) => stored[id - 1]?.text !== text);
  const [first] = lost;
  if (first !== undefined) {
    const now = stored[first.id - 1]?.text;
    broken.push(
      `${what}: ${lost.length} lines that were seen are lost, ${first.id} ${first.text} is ${now}`,
    );
  }
  return broken;
}

/** Frames of one stream: each line has the number after the one before. */
export function judgeStream(what: string, ids: readonly number[]): readonly string[] {
  const at = ids.findIndex((id, index) => index > 0 && id !== (ids[index - 1] ?? 0) + 1);
  return at === -1 ? [] : [`${what}: line ${ids[at]} was streamed after ${ids[at - 1]}`];
}

/** The cost of one deployment, in units of 10^-18, and the limits of its running time. */
export interface Cost {
  readonly name: string;
  /** Price of a block. */
  readonly price: bigint;
  readonly paid: bigint;
  readonly owed: bigint;
  readonly carry: bigint;
  /** The prices of its runs, each times the ms that the records say it ran. */
  readonly recorded: bigint;
  /** Ms from its making to its closing, in which its processes may have run. */
  readonly longest: number;
  /** Whether it must have run, as a host was there for long enough and it had the money. */
  readonly ran: boolean;
}

export interface Money {
  readonly costs: readonly Cost[];
  /** The loss of each wallet. */
  readonly lost: ReadonlyMap<string, bigint>;
  /** The grantor, the limit and the spent amount of each grant. */
  readonly grants: readonly {
    readonly grantor: string;
    readonly limit: bigint;
    readonly spent: bigint;
  }[];
  /** Wallets that pay by their grants alone. */
  readonly grantors: readonly string[];
}

/** Ms of a block. */
const block = 6000n;

/** Holds what was lost against what was paid, to the last unit, and that against the time. */
export function judgeMoney({ costs, lost, grants, grantors }: Money): readonly string[] {
  const broken: string[] = [];
  const paid = sum(costs.map((cost) => cost.paid));
  const taken = sum([...lost.values()]);
  if (paid !== taken) broken.push(`wallets lost ${taken}, deployments cost ${paid}`);
  for (const grantor of grantors) {
    const spent = sum(
      grants.filter((grant) => grant.grantor === grantor).map((grant) => grant.spent),
    );
    if (spent !== (lost.get(grantor) ?? 0n)) {
      broken.push(`${grantor} lost ${lost.get(grantor)}, of its grants ${spent} was spent`);
    }
  }
  for (const { grantor, limit, spent } of grants) {
    if (spent > limit)
      broken.push(`of a grant of ${grantor} ${spent} was spent, its limit is ${limit}`);
  }
  for (const { name, price, paid: byNow, owed, carry, recorded, longest, ran } of costs) {
    const used = (byNow + owed) * block + carry;
    if (used !== recorded) broken.push(`${name} cost ${used}, its runs ${recorded}`);
    if (price === 0n) continue;
    // All of its instances for that time.
    const time = Number(used / price);
    if (time > longest) broken.push(`${name} was charged for ${time} ms of at most ${longest}`);
    if (ran && used === 0n) broken.push(`${name} ran and was not charged`);
  }
  return broken;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
