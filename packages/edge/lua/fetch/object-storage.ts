import type { OriginServerConfig } from '@breakwater/contract/site-config/origin-server-config';
import { splitTarget } from '@breakwater/policy/http/path';
import { authorize, encodePath, encodeQuery, signingKey } from '@breakwater/policy/origin/sigv4';
import { digests } from '../lib/digest.ts';

/** Asking object storage: every request to it is signed with the site's key, and carries nothing of the visitor's own. */
export interface ObjectStorage {
  config: NonNullable<OriginServerConfig['object_storage']>;
  host: string;
  /** What goes before the path. */
  prefix: string;
  /** The key that signs, and the day it is good for. */
  day: string;
  key: string;
}

export function objectStorageOf(origins: OriginServerConfig): ObjectStorage | undefined {
  const config = origins.object_storage;
  if (config === undefined) return undefined;
  const host = origins.host ?? origins.origins[0]!.address;
  return {
    config,
    host: config.path_style ? host : `${config.bucket}.${host}`,
    prefix: config.path_style ? `/${config.bucket}` : '',
    day: '',
    key: '',
  };
}

const methods: Record<string, boolean> = { GET: true, HEAD: true, OPTIONS: true };
/** Others reach what a bucket says of itself: its listing, its policy, who may read it. */
const queryNames = ['versionId'];
const payloadHash = 'UNSIGNED-PAYLOAD';

/** Turns the request into a signed one. A status: it is refused with it. */
export function signRequest(storage: ObjectStorage): number | undefined {
  const method = ngx.req.get_method();
  if (methods[method] !== true) {
    ngx.header.Allow = 'GET, HEAD, OPTIONS';
    return 405;
  }
  const target = splitTarget(ngx.var.request_uri!);
  const object = encodePath(target.path);
  if (object === undefined) return 403;
  const path = `${storage.prefix}${object}`;
  const query = encodeQuery(target.query ?? '', queryNames);
  const time = os.date('!%Y%m%dT%H%M%SZ', ngx.time()) as string;
  dropOwnFields();
  ngx.req.set_header('X-Amz-Date', time);
  ngx.req.set_header('X-Amz-Content-Sha256', payloadHash);
  const variables = ngx.var;
  variables.origin_uri = query === '' ? path : `${path}?${query}`;
  const fields = [
    { name: 'host', value: storage.host },
    { name: 'x-amz-content-sha256', value: payloadHash },
    { name: 'x-amz-date', value: time },
  ];
  const { access_key_id: accessKeyId, region } = storage.config;
  const signer = { accessKeyId, region, time, key: keyOfDay(storage, string.sub(time, 1, 8)) };
  variables.origin_authorization = authorize({ method, path, query, fields, payloadHash }, signer, digests);
  return undefined;
}

/** What the visitor says of themselves: the answer is the same for all, and storage wants every field of its own signed. */
function dropOwnFields(): void {
  ngx.req.clear_header('Authorization');
  ngx.req.clear_header('Cookie');
  for (const name of Object.keys(ngx.req.get_headers(0)))
    if (name.startsWith('x-amz-')) ngx.req.clear_header(name);
}

function keyOfDay(storage: ObjectStorage, day: string): string {
  if (storage.day === day) return storage.key;
  const { secret_access_key: secret, region } = storage.config;
  storage.key = signingKey(secret ?? '', day, region, digests);
  storage.day = day;
  return storage.key;
}
