/** Returns the usual notation of a key: `^D`, `Enter`, `PgUp`, `Shift-Tab`. */
export function keyLabel(key: string): string {
  const named: Readonly<Record<string, string>> = {
    enter: 'Enter',
    escape: 'Esc',
    space: 'Space',
    tab: 'Tab',
    pageup: 'PgUp',
    pagedown: 'PgDn',
    up: 'Up',
    down: 'Down',
    left: 'Left',
    right: 'Right',
    home: 'Home',
    end: 'End',
    backspace: 'Backspace',
    delete: 'Delete',
  };
  if (key.startsWith('ctrl+')) {
    const rest = key.slice(5);
    return `^${rest.length === 1 ? rest.toUpperCase() : keyLabel(rest)}`;
  }
  if (key.startsWith('alt+')) return `Alt-${keyLabel(key.slice(4))}`;
  if (key.startsWith('shift+')) return `Shift-${keyLabel(key.slice(6))}`;
  if (/^f\d+$/.test(key)) return key.toUpperCase();
  return named[key] ?? key;
}
