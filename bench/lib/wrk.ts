import { spawn } from 'node:child_process';

export interface WrkOptions {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  /** A Lua file that makes the requests. */
  script?: string;
  /** Answers are pages for who is not let in. */
  isRefused?: boolean;
}

export interface WrkResult {
  perSecond: number;
  requests: number;
}

/** Requests by one thread of wrk (Debian's package `wrk`). Any answer but 2xx and 3xx is an error, unless refusals are what is measured. */
export function runWrk(options: WrkOptions): Promise<WrkResult> {
  const args = ['-t1', `-c${options.connections}`, `-d${options.seconds}s`];
  for (const [name, value] of Object.entries(options.headers ?? {})) args.push('-H', `${name}: ${value}`);
  if (options.script !== undefined) args.push('-s', options.script);
  return new Promise((settle, refuse) => {
    const child = spawn('wrk', [...args, options.url], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.once('error', () => refuse(new Error('wrk is not installed. On Debian: apt-get install wrk')));
    child.once('close', () => {
      const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
      const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
      if (Number.isNaN(rate) || (output.includes('Non-2xx') && options.isRefused !== true))
        refuse(new Error(`wrk says: ${output}`));
      else settle({ perSecond: rate, requests });
    });
  });
}
