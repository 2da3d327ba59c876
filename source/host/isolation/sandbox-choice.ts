/** `auto`: bubblewrap where it works; `require`: no start without it; `off`: never. */
export type SandboxChoice = 'auto' | 'require' | 'off';

export const sandboxChoices: readonly SandboxChoice[] = ['auto', 'require', 'off'];
