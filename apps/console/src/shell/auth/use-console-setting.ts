import { useEffect, useState } from 'react';
import { call, type Data } from '../../api/client.ts';

type ConsoleSetting = Data<'getConsoleSetting'>['value'];

/** What operators say of sign-in. The pages of guests do without the console's reads, which weigh as much as they do. */
export function useConsoleSetting(): ConsoleSetting | undefined {
  const [setting, setSetting] = useState<ConsoleSetting>();
  useEffect(() => {
    const leaving = new AbortController();
    call('getConsoleSetting', {}, leaving.signal).then(
      ({ value }) => setSetting(value),
      // The page does without: whoever signs in is told that the server is away.
      (error: unknown) => leaving.signal.aborted || console.warn('cannot read the setting of sign-in', error),
    );
    return () => leaving.abort();
  }, []);
  return setting;
}
