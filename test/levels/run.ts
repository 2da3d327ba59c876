/**
 * `node test/levels/run.ts FOLDER [-v]`: compares the levels that hostdeck finds in the lines of a corpus
 * with the column `Level` of its tables. The corpus of loghub (github.com/logpai/loghub) has them.
 */
import { levelOf, lineLevel } from '../../source/tail/level.ts';
import {
  type LineLevel,
  levelOfLetter,
  levelOfWord,
  lineLevels,
} from '../../source/tail/levels/level-words.ts';
import { labelledLines, labelledLogs } from './corpus.ts';

/** Lines with a label, lines with the level found, and those that are both and the same. */
interface Score {
  labelled: number;
  found: number;
  right: number;
}

const [folder, option] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('Usage: node test/levels/run.ts FOLDER [-v]\n');
  process.exit(2);
}

const all = newScore();
const byLevel = new Map<LineLevel, Score>(lineLevels.map((level) => [level, newScore()]));
const rows: string[] = [];
for (const log of labelledLogs(folder)) {
  const lines = labelledLines(log);
  const labels = lines.map(({ columns }) => labelOf(columns['Level'] ?? ''));
  const name = log.slice(folder.length).replace(/^\//, '');
  if (labels.every((label) => label === undefined)) {
    const marked = lines.filter(({ text }) => levelOf(text) !== undefined).length;
    rows.push(`| ${name} | ${lines.length} | no levels; ${marked} marked |  |`);
    if (option === '-v') sample(lines.map(({ text }) => [text, undefined]));
    continue;
  }
  const score = newScore();
  for (const [index, { text }] of lines.entries()) {
    const label = labels[index];
    const found = lineLevel(text);
    count([all, score], label, found);
    for (const [level, own] of byLevel) {
      count([own], label === level ? label : undefined, found === level ? found : undefined);
    }
  }
  rows.push(row(name, score));
  if (option === '-v') sample(lines.map(({ text }, index) => [text, labels[index]]));
}
process.stdout.write(
  `${['| Lines | Labelled | Precision | Recall |', '|-|-|-|-|', ...rows, ...[...byLevel].map(([level, score]) => row(level, score)), row('all', all)].join('\n')}\n`,
);

function newScore(): Score {
  return { labelled: 0, found: 0, right: 0 };
}

function labelOf(label: string): LineLevel | undefined {
  return label.length === 1 ? levelOfLetter(label) : levelOfWord(label);
}

function count(
  scores: readonly Score[],
  label: LineLevel | undefined,
  found: LineLevel | undefined,
): void {
  for (const score of scores) {
    score.labelled += label === undefined ? 0 : 1;
    score.found += found === undefined ? 0 : 1;
    score.right += label !== undefined && label === found ? 1 : 0;
  }
}

function row(name: string, { labelled, found, right }: Score): string {
  const share = (whole: number) => (whole === 0 ? '-' : (right / whole).toFixed(4));
  return `| ${name} | ${labelled} | ${share(found)} | ${share(labelled)} |`;
}

/** Prints lines whose level differs from their label, one for each first word. */
function sample(lines: readonly (readonly [string, LineLevel | undefined])[]): void {
  const seen = new Set<string>();
  for (const [text, label] of lines) {
    const found = label === undefined ? levelOf(text) : lineLevel(text);
    const key = `${found} ${label} ${text.replaceAll(/[\d.]+/g, '').slice(-30)}`;
    if (found === label || seen.has(key) || seen.size > 40) continue;
    seen.add(key);
    process.stderr.write(`${label ?? '-'} ${found ?? '-'}: ${text.slice(0, 170)}\n`);
  }
}
