/**
 * `node test/secrets/run.ts FOLDER`: masks the lines of a corpus that holds no secrets, and prints the lines
 * that change. The corpus of loghub (github.com/logpai/loghub) has 16 logs in `*_2k.log`.
 */
import path from 'node:path';
import { Masker } from '../../source/store/incident/masker.ts';
import { labelledLines, labelledLogs } from '../levels/corpus.ts';

const [folder] = process.argv.slice(2);
const logs = folder === undefined ? [] : labelledLogs(folder);
if (logs.length === 0) {
  process.stderr.write('Usage: node test/secrets/run.ts FOLDER, with *_2k.log of loghub in it\n');
  process.exit(2);
}

let total = 0;
let changed = 0;
for (const log of logs) {
  const masker = new Masker();
  const lines = labelledLines(log).map(({ text }) => text);
  for (const line of lines) masker.text(line, 'line');
  masker.seal();
  const masked = lines.map((line) => masker.text(line, 'line'));
  const alarms = masked.filter((line, index) => line !== lines[index]);
  for (const line of alarms) process.stdout.write(`${line}\n`);
  process.stdout.write(`${path.basename(log)}: ${alarms.length} of ${lines.length}\n`);
  total += lines.length;
  changed += alarms.length;
}
process.stdout.write(`all: ${changed} of ${total}\n`);
