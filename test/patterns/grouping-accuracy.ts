/**
 * Returns the grouping accuracy as the literature measures it (Zhu et al., "Tools and Benchmarks
 * for Automated Log Parsing", 2019): the share of lines whose group has exactly the lines of their
 * label.
 */
export function groupingAccuracy(
  labels: readonly string[],
  groups: readonly (string | number)[],
): number {
  const labelSizes = sizesOf(labels);
  const groupSizes = sizesOf(groups);
  const pairSizes = sizesOf(labels.map((label, index) => `${groups[index]} ${label}`));
  const right = labels.filter((label, index) => {
    const size = pairSizes.get(`${groups[index]} ${label}`);
    return size === labelSizes.get(label) && size === groupSizes.get(groups[index] ?? '');
  });
  return labels.length === 0 ? 1 : right.length / labels.length;
}

function sizesOf<Name>(names: readonly Name[]): ReadonlyMap<Name, number> {
  const sizes = new Map<Name, number>();
  for (const name of names) sizes.set(name, (sizes.get(name) ?? 0) + 1);
  return sizes;
}
