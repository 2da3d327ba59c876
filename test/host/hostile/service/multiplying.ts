import { maxProcesses } from '../../../../source/host/runtime/runtime.ts';
import { type Attack, Refused } from './attack.ts';
import { run } from './programs.ts';

/** Perl forks ten times as fast as Node; a shell stops at the first refusal. */
const forkScript = `
  my $started = 0;
  for (1 .. 5000) {
    my $child = fork;
    next unless defined $child;
    if ($child == 0) { close STDOUT; close STDERR; sleep 120; exit }
    $started += 1;
  }
  print $started;`;

/** The last attack, as its processes keep running. */
export const multiplying: Attack = {
  name: 'start 5,000 processes',
  attempt() {
    const started = Number(run('perl', ['-e', forkScript]));
    if (started <= maxProcesses) throw new Refused(`after ${started}`);
    return `started ${started}`;
  },
};
