/**
 * The ways to run services. `process`: commands as processes, images refused. `container`: images as
 * containers, services without one refused. `auto`: images as containers, commands as processes.
 */
export type RuntimeName = 'process' | 'container' | 'auto';

export const runtimeNames: readonly RuntimeName[] = ['process', 'container', 'auto'];
