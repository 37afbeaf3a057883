import { writeFile } from 'node:fs/promises';
import { runWrk } from './wrk.ts';

export interface Flood {
  name: string;
  /** From how many addresses it comes, in `198.51.100.0/24`. */
  addresses: number;
  perSecond: number;
  /** What its requests begin with; behind it stands a word that no other request has. */
  path: string;
}

/** So many that an origin which is slow does not slow the flood down. */
const connections = 1000;

/** Sends a flood for so many seconds through a proxy that names its senders; answers how many requests it sent. */
export async function flood(
  { addresses, perSecond, path }: Flood,
  target: { url: string; host: string; script: string },
  seconds: number,
): Promise<number> {
  const pause = Math.round((connections * 1000) / perSecond);
  await writeFile(
    target.script,
    `math.randomseed(os.time())
    function delay() return ${pause} end
    function request()
      wrk.headers["X-Forwarded-For"] = "198.51.100." .. math.random(1, ${addresses})
      return wrk.format(nil, "${path}" .. math.random(1, 1e9))
    end\n`,
  );
  const headers = { Host: target.host };
  const { url, script } = target;
  return (await runWrk({ url, headers, connections, seconds, script, isRefused: true })).requests;
}
