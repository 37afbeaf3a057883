import type { RouteName, routes } from '@breakwater/contract';
import { useEffect, useRef, useState } from 'react';
import { ApiError, send, unwrap, type Arguments, type Data } from './client.ts';

type Stream = { transport: 'stream' };
/** Routes whose answers go on. */
export type StreamName = {
  [Name in RouteName]: (typeof routes)[Name] extends Stream ? Name : never;
}[RouteName];

/** Reads the events of a route until its end. Throws `ApiError`, or the signal's reason. */
export async function readStream<Name extends StreamName>(
  name: Name,
  args: Arguments<Name>,
  onEvent: (event: Data<Name>) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await send(name, args, signal, 'text/event-stream');
  if (!response.ok || !response.body) {
    await unwrap(response);
    return;
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const messages = (text + value).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages)
      if (message.startsWith('data: ')) onEvent(JSON.parse(message.slice('data: '.length)) as Data<Name>);
  }
}

const retryMs = 2000;

/**
 * Follows a route whose answer goes on, while the page is seen; comes back when the line breaks. Answers what was refused.
 * Other arguments begin anew.
 */
export function useStream<Name extends StreamName>(
  name: Name,
  args: Arguments<Name>,
  onEvent: (event: Data<Name>) => void,
  enabled = true,
): ApiError | undefined {
  const [refused, setRefused] = useState<ApiError>();
  const listener = useRef(onEvent);
  useEffect(() => {
    listener.current = onEvent;
  }, [onEvent]);
  const asked = JSON.stringify(args);
  useEffect(() => {
    if (!enabled) return undefined;
    const leaving = new AbortController();
    const hidden = () => document.visibilityState === 'hidden';
    let line: AbortController | undefined;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const follow = async () => {
      if (hidden() || leaving.signal.aborted) return;
      line = new AbortController();
      const { signal } = line;
      const heard = (event: Data<Name>) => {
        setRefused(undefined);
        if (!signal.aborted) listener.current(event);
      };
      try {
        await readStream(name, JSON.parse(asked) as Arguments<Name>, heard, signal);
      } catch (error) {
        if (!signal.aborted && error instanceof ApiError) setRefused(error);
      }
      if (!signal.aborted) retry = setTimeout(() => void follow(), retryMs);
    };
    const onSight = () => {
      clearTimeout(retry);
      line?.abort();
      void follow();
    };
    void follow();
    document.addEventListener('visibilitychange', onSight);
    return () => {
      document.removeEventListener('visibilitychange', onSight);
      clearTimeout(retry);
      leaving.abort();
      line?.abort();
    };
  }, [name, asked, enabled]);
  return enabled ? refused : undefined;
}
