/**
 * `node test/patterns/run.ts FOLDER`: groups the labelled lines of a corpus into patterns and prints the
 * grouping accuracy. The corpus of loghub (github.com/logpai/loghub) has labels in `*_2k.log`.
 */
import path from 'node:path';
import { joinedPattern, PatternGroups } from '../../source/tail/patterns/pattern-groups.ts';
import { labelledLines, labelledLogs } from '../levels/corpus.ts';
import { groupingAccuracy } from './grouping-accuracy.ts';

const [folder] = process.argv.slice(2);
const logs =
  folder === undefined ? [] : labelledLogs(folder).filter((log) => log.endsWith('_2k.log'));
if (logs.length === 0) {
  process.stderr.write('Usage: node test/patterns/run.ts FOLDER, with *_2k.log of loghub in it\n');
  process.exit(2);
}

const rows = logs.map((log) => {
  const lines = labelledLines(log);
  const labels = lines.map(({ columns }) => columns['EventId'] ?? '');
  const messages = grouped(lines.map(({ columns }) => columns['Content'] ?? ''));
  const wholeLines = grouped(lines.map(({ text }) => text));
  return {
    name: path.basename(log, '_2k.log'),
    accuracy: groupingAccuracy(labels, messages),
    patterns: new Set(messages).size,
    labels: new Set(labels).size,
    whole: groupingAccuracy(labels, wholeLines),
  };
});

const print = (...cells: readonly (string | number)[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
};
print('Corpus', 'Accuracy', 'Patterns', 'Labels', 'With the header of the line');
process.stdout.write('|-|-|-|-|-|\n');
for (const { name, accuracy, patterns, labels, whole } of rows) {
  print(name, accuracy.toFixed(3), patterns, labels, whole.toFixed(3));
}
print(
  'mean',
  meanOf(rows.map(({ accuracy }) => accuracy)),
  '',
  '',
  meanOf(rows.map(({ whole }) => whole)),
);

/** Returns the number of the pattern of each line once all are known. */
function grouped(lines: readonly string[]): readonly number[] {
  const groups = new PatternGroups();
  const found = lines.map((line) => groups.add(line));
  return found.map((pattern) => joinedPattern(pattern).id);
}

function meanOf(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3);
}
