/** Answers each key with a number, and does nothing else. */
let keys = 0;
process.stdin.setRawMode(true);
process.stdin.on('data', () => {
  keys += 1;
  process.stdout.write(`\r${keys}.`);
});
process.stdout.write('ready');
