import {
  filesOf,
  fillPath,
  routes,
  type FieldError,
  type RouteArguments,
  type RouteData,
  type RouteName,
  type RouteSpec,
} from '@breakwater/contract';

export interface Answer<Data> {
  status: number;
  code: number;
  message: string;
  data: Data;
  errors: FieldError[];
  headers: Headers;
}
type Arguments<Name extends RouteName> = RouteArguments<(typeof routes)[Name]>;

/** An answer that goes on. */
export interface OpenStream<Event> {
  status: number;
  /** What arrived, so far. */
  events: Event[];
  /** Whether the server has ended it. */
  readonly ended: boolean;
  close(): void;
}

export interface Downloaded {
  name: string;
  contentType: string;
  text: string;
}

/** Calls routes by name as one caller, over HTTP, and answers what came back, errors included. */
export interface ApiClient {
  call<Name extends RouteName>(
    name: Name,
    args: Arguments<Name>,
  ): Promise<Answer<RouteData<(typeof routes)[Name]>>>;
  /** The file that a call answers with; throws when it answers with none. */
  download<Name extends RouteName>(name: Name, args: Arguments<Name>): Promise<Downloaded>;
  /** The same as `call`, for calls that the types forbid: any body, any query. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<unknown>>;
  /** Opens a stream of events. One that is refused has none. */
  open<Name extends RouteName>(
    name: Name,
    args: Arguments<Name>,
  ): Promise<OpenStream<RouteData<(typeof routes)[Name]>>>;
  /** What stands under `data`; throws when the answer is no success. */
  get<Name extends RouteName>(name: Name, args: Arguments<Name>): Promise<RouteData<(typeof routes)[Name]>>;
}

export function makeApiClient(
  baseUrl: () => string,
  token?: string,
  language: 'zh' | 'en' = 'en',
): ApiClient {
  const send: ApiClient['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(baseUrl() + path, {
      method,
      headers: {
        'accept-language': language,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        // A form says itself what it is.
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    // Of a file only that it came.
    const isFile = response.headers.has('content-disposition');
    const envelope = JSON.parse(isFile ? '{"code":0,"message":"ok"}' : text) as {
      code: number;
      message: string;
      data?: unknown;
      errors?: FieldError[];
    };
    return {
      status: response.status,
      code: envelope.code,
      message: envelope.message,
      data: envelope.data,
      errors: envelope.errors ?? [],
      headers: response.headers,
    };
  };
  const call: ApiClient['call'] = async (name, args) => {
    const { body } = args as { body?: object };
    const spec: RouteSpec = routes[name];
    const sent = spec.transport === 'file' && body ? formOf(spec, body) : body;
    return (await send(spec.method, targetOf(name, args), sent)) as never;
  };
  const download: ApiClient['download'] = async (name, args) => {
    const response = await fetch(baseUrl() + targetOf(name, args), {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    // With its byte order mark, where it has one.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
    const disposition = response.headers.get('content-disposition');
    if (disposition === null) throw new Error(`${name} answered ${response.status} ${text}`);
    const fileName = decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)![1]!);
    return { name: fileName, contentType: response.headers.get('content-type') ?? '', text };
  };
  const open: ApiClient['open'] = (name, args) => openStream(baseUrl() + targetOf(name, args), token);
  const get: ApiClient['get'] = async (name, args) => {
    const answer = await call(name, args);
    if (answer.code !== 0)
      throw new Error(
        `${name} answered ${answer.status} ${answer.code} ${answer.message} ${JSON.stringify(answer.errors)}`,
      );
    return answer.data;
  };
  return { call, download, send, open, get };
}

/** A body as a form: the fields that are files as files, all others in JSON. */
function formOf(spec: RouteSpec, body: object): FormData {
  const files = filesOf(spec.body);
  const form = new FormData();
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    if (value === undefined) continue;
    if (value instanceof Blob) form.append(name, value);
    else if (files.has(name)) form.append(name, new Blob([JSON.stringify(value)]), `${name}.json`);
    else form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return form;
}

function targetOf<Name extends RouteName>(name: Name, args: Arguments<Name>): string {
  const { params, query } = args as { params?: Record<string, number>; query?: object };
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  );
  return fillPath(routes[name].path, params) + (search.size > 0 ? `?${search.toString()}` : '');
}

async function openStream<Event>(url: string, token: string | undefined): Promise<OpenStream<Event>> {
  const leaving = new AbortController();
  const response = await fetch(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  const events: Event[] = [];
  let ended = false;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const messages = (text + chunk).split('\n\n');
      text = messages.pop() ?? '';
      for (const message of messages) events.push(JSON.parse(message.replace(/^data: /, '')) as Event);
    }
  };
  const readToItsEnd = async (): Promise<void> => {
    // A stream that breaks has ended too.
    await read().catch(() => undefined);
    ended = true;
  };
  if (response.status === 200) void readToItsEnd();
  else leaving.abort();
  return {
    status: response.status,
    events,
    get ended() {
      return ended;
    },
    close: () => leaving.abort(),
  };
}
