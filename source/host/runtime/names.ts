/**
 * Modes of running services. `process`: commands run as processes, images are refused. `container`:
 * images run as containers, services without one are refused. `auto`: images run as containers,
 * commands as processes.
 */
export type RuntimeName = 'process' | 'container' | 'auto';
