/**
 * Rooms whose tests run one file after the other in few processes: they start nothing, and their
 * modules keep only caches. A process for each file would cost a third of a second.
 */
export const sharedRooms = ['contract', 'editor', 'tail'];
