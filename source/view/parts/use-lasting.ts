import { useEffect, useState } from 'react';
import { useDeck } from './context.ts';

/** Returns a value once it has stayed the same for a time in ms; the first one at once. */
export function useLasting<T>(value: T, time: number): T {
  const { clock } = useDeck();
  const [lasting, setLasting] = useState(value);
  useEffect(() => {
    if (value === lasting) return undefined;
    return clock.after(time, () => setLasting(value));
  }, [clock, value, lasting, time]);
  return lasting;
}
