/** Most processes and threads that one instance of a service may have at a time. */
export const mostProcesses = 512;
