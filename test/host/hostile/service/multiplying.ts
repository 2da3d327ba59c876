import { mostProcesses } from '../../../../source/host/runtime/runtime.ts';
import { type Attack, Refused } from './attack.ts';
import { run } from './programs.ts';

/** Perl forks in a tenth of the time that Node takes; a shell gives up at the first refusal. */
const forking = `
  my $started = 0;
  for (1 .. 5000) {
    my $child = fork;
    next unless defined $child;
    if ($child == 0) { close STDOUT; close STDERR; sleep 120; exit }
    $started += 1;
  }
  print $started;`;

/** The last attack: those that it starts stay. */
export const multiplying: Attack = {
  name: 'start 5,000 processes',
  attempt() {
    const started = Number(run('perl', ['-e', forking]));
    if (started <= mostProcesses) throw new Refused(`after ${started}`);
    return `started ${started}`;
  },
};
