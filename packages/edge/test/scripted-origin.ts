import type { IncomingMessage } from 'node:http';
import { startOrigin, type TestOrigin } from './support.ts';

export type Script = (request: IncomingMessage) => {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string;
};

export interface ScriptedOrigin extends TestOrigin {
  /** A path of its own, and all below it, whose answers are these; without a body they have a text that is new each time. */
  serve(script: Script | Record<string, string | string[]>): string;
}

/** A real origin that each test gives its answers. */
export async function startScriptedOrigin(): Promise<ScriptedOrigin> {
  const scripts: Record<string, Script> = {};
  let next = 0;
  const origin = await startOrigin((request, response) => {
    const script = scripts[/^\/+[^/?;%\\.]+/.exec(request.url!)?.[0].replace(/^\/+/, '/') ?? ''];
    const { status = 200, headers = {}, body } = script?.(request) ?? { status: 404 };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    const text = body ?? `answer ${origin.count()}`;
    // A header that tells how many milliseconds the answer takes.
    if (headers['X-Slow'] === undefined) response.end(text);
    else setTimeout(() => response.end(text), Number(headers['X-Slow']));
  });
  const serve: ScriptedOrigin['serve'] = (script) => {
    const path = `/p${next++}`;
    scripts[path] = typeof script === 'function' ? script : () => ({ headers: script });
    return path;
  };
  return { ...origin, serve };
}
