/** What services run as; `auto`: images without a command as containers, the rest as processes. */
export type RuntimeName = 'process' | 'container' | 'auto';

export const runtimeNames: readonly RuntimeName[] = ['process', 'container', 'auto'];
