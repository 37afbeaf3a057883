import { iconHosts } from '@breakwater/contract';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { readConsoleSetting } from '../modules/setting/setting.store.ts';
import type { Services } from '../services.ts';
import { answerNotFound } from './errors.ts';
import type { Audience } from './session.ts';

const consoleDir = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** Scripts and styles come from here alone; inline styles are how the console's style library works. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the console on both listeners: its files, `/config.json`, and `index.html` for every path of its router. */
export async function serveConsole(
  app: FastifyInstance,
  { config, db }: Pick<Services, 'config' | 'db'>,
  audience: Audience,
): Promise<void> {
  /** The page comes, in Chinese, even while the database is away. */
  const toldTo = async (request: FastifyRequest) => ({
    ...clientConfig(config, audience, request),
    language: await readConsoleSetting(db).then(
      ({ language }) => language,
      () => 'zh',
    ),
  });
  app.get('/config.json', async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    return toldTo(request);
  });
  const built = existsSync(consoleDir);
  if (built) await serveFiles(app);
  app.setNotFoundHandler((request, reply) => {
    // The query may end in anything, a domain for one.
    const path = request.url.replace(/\?.*/s, '');
    const api = /^\/(prod-api|node-api)(\/|$)/.test(path);
    const file = /\.[a-z0-9]+$/i.test(path);
    if (!built || api || file || request.method !== 'GET') return answerNotFound(request, reply);
    return sendIndex(request, reply);
  });
  const page = built ? await readFile(join(consoleDir, 'index.html'), 'utf8') : '';
  const firstFiles = built ? await readFirstFiles(audience) : {};
  const sendIndex = async (request: FastifyRequest, reply: FastifyReply) => {
    void reply.headers({
      'content-security-policy': `${contentSecurityPolicy}; connect-src 'self' ${[...iconHosts, apiOrigins(config, audience, request)].join(' ')}`,
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
    const path = request.url.replace(/[?#].*/s, '').replace(/\/\d+$/, '/{id}');
    return reply
      .type('text/html; charset=utf-8')
      .send(withHead(page, await toldTo(request), firstFiles[path]));
  };
  // The folder itself is no file.
  if (built) app.get('/', (request, reply) => sendIndex(request, reply));
}

/** By their own names only. Those are read once: the plugin's own route reads the folder for each file that is asked for. */
async function serveFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: consoleDir,
    serve: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/');
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.header('x-content-type-options', 'nosniff');
    },
  });
  const names = new Set(await readdir(consoleDir, { recursive: true }));
  // What the other port's screens are is nobody's business here.
  names.delete('first-files.json');
  app.get('/*', (request, reply) => {
    const name = request.url.slice(1).replace(/\?.*/s, '');
    return names.has(name) ? reply.sendFile(name) : reply.callNotFound();
  });
}

/** What a page asks for first. */
interface FirstFiles {
  /** Scripts, after those that `index.html` names. */
  scripts: string[];
  /** A script that is run before those, and what it asks the server, as the console's `EarlyRead`. */
  early?: { script: string; reads: object[] };
}

/** By the path of a page; the console's build wrote them. */
async function readFirstFiles(audience: Audience): Promise<Record<string, FirstFiles>> {
  const file = join(consoleDir, 'first-files.json');
  // A console that was built before there were any works without.
  if (!existsSync(file)) return {};
  const pages = JSON.parse(await readFile(file, 'utf8')) as Partial<
    Record<Audience, Record<string, FirstFiles>>
  >;
  return pages[audience] ?? {};
}

/** The page with what `/config.json` says, and with what it will ask for, so that a browser need not ask for one after the other. */
function withHead(
  page: string,
  values: Record<string, string>,
  { scripts, early }: FirstFiles = { scripts: [] },
): string {
  const first = [metaOf('config', values)];
  if (early)
    first.push(
      metaOf('reads', early.reads),
      `<script type="module" async crossorigin src="/${early.script}"></script>`,
    );
  const last = scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
  return page
    .replace('<head>', () => ['<head>', ...first].join('\n    '))
    .replace('</head>', () => [...last, '</head>'].join('\n    '));
}

function metaOf(name: string, values: object): string {
  const text = JSON.stringify(values)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;');
  return `<meta name="breakwater-${name}" content="${text}" />`;
}

/** Empty means: the address this page came from. */
function clientConfig(config: Config, audience: Audience, request: FastifyRequest) {
  const sibling = (url: string | undefined, port: number) =>
    url ?? `${request.protocol}://${request.hostname}:${port}`;
  return {
    app_name: config.appName,
    admin_api: audience === 'admin' ? '' : sibling(config.publicAdminUrl, config.adminPort),
    user_api: audience === 'user' ? '' : sibling(config.publicUserUrl, config.userPort),
  };
}

function apiOrigins(config: Config, audience: Audience, request: FastifyRequest): string {
  const { admin_api, user_api } = clientConfig(config, audience, request);
  return `${admin_api} ${user_api}`.trim();
}
