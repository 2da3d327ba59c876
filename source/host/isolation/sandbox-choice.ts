/**
 * Use of bubblewrap. `auto`: if it works; `require`: the host doesn't start without it; `off`:
 * never.
 */
export type SandboxChoice = 'auto' | 'require' | 'off';
