import {
  fillPath,
  routes,
  type FieldError,
  type RouteArguments,
  type RouteData,
  type RouteName,
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

/** Calls routes by name as one caller, over HTTP, and answers what came back, errors included. */
export interface ApiClient {
  call<Name extends RouteName>(
    name: Name,
    args: Arguments<Name>,
  ): Promise<Answer<RouteData<(typeof routes)[Name]>>>;
  /** The same, for calls that the types forbid: any body, any query. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<unknown>>;
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
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const envelope = JSON.parse(text) as {
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
    const { method, path } = routes[name];
    const { params, query, body } = args as {
      params?: Record<string, number>;
      query?: object;
      body?: unknown;
    };
    const search = new URLSearchParams(
      Object.entries(query ?? {}).flatMap(([key, value]): [string, string][] =>
        value === undefined ? [] : [[key, String(value)]],
      ),
    );
    const target = fillPath(path, params) + (search.size > 0 ? `?${search.toString()}` : '');
    return (await send(method, target, body)) as never;
  };
  const get: ApiClient['get'] = async (name, args) => {
    const answer = await call(name, args);
    if (answer.code !== 0)
      throw new Error(
        `${name} answered ${answer.status} ${answer.code} ${answer.message} ${JSON.stringify(answer.errors)}`,
      );
    return answer.data;
  };
  return { call, send, get };
}
