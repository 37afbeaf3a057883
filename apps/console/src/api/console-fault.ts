import { consoleFaultsMax } from '@breakwater/contract/console-fault';
import { call } from './client.ts';
import { faultOf } from './fault-of.ts';

const told = new Set<string>();

/** Tells the server, of each failure once. Where nobody is signed in, or no server is there, it stays in the browser's console. */
export async function tellFault(reason: unknown): Promise<void> {
  const body = faultOf(reason, location.pathname);
  const key = JSON.stringify(body);
  if (told.has(key) || told.size >= consoleFaultsMax) return;
  told.add(key);
  await call('reportConsoleFault', { body }).catch(() => undefined);
}
