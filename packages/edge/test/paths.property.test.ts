import { createHmac } from 'node:crypto';
import { condition } from '@breakwater/contract/condition';
import { levelAccess } from '@breakwater/contract/site-config/level-access';
import { parseCondition } from '@breakwater/policy/conditions/parse';
import { randomFrom } from '@breakwater/policy/lib/test-random';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askInPipelines, askInStreams, type Ask } from './path-client.ts';
import { pathForms } from './path-forms.ts';
import { pathOrigins, served } from './path-origins.ts';
import { makeEnvelope, makeSite, TestEdge, type SiteInput } from './support.ts';

/**
 * However a path is written, no origin serves what a rule keeps from visitors. Origins say which resources they would
 * serve for what reaches them; a rule of each kind stands before them. `PATH_FORMS` says how many forms are tried at each
 * origin, `PATH_SEED` which.
 */
const count = Number(process.env.PATH_FORMS ?? 2000);
const waysToldMax = 50;
const seed = Number(process.env.PATH_SEED ?? Math.floor(Math.random() * 2 ** 31));

let edge: TestEdge;
beforeAll(async () => {
  edge = await TestEdge.start({ cacheSizeMax: '1g' });
});
afterAll(() => edge.close());

const ownPrefix = '/.well-known/breakwater/';
const paths = ['/admin/', '/secret.css'];
const isElsewhere = (path: string) =>
  path === '/admin' || path.startsWith('/admin/') || path === '/secret.css';
/** A program gets what stands behind its name. */
const isClosed = (path: string) => isElsewhere(path) || path.startsWith('/secret.css/');
/** What a certificate authority asks for is open always (RFC 8555 §8.3: a token of these characters). */
const isChallenge = (path: string) => /^\/\.well-known\/acme-challenge\/[\w-]+$/.test(path);
const isOutside = (path: string) => !path.startsWith('/public/') && !isChallenge(path);
const bypass: NonNullable<SiteInput['rules']> = [{ type: 'all', action: 'bypass' }];
const cached = { action: 'cache' as const, ttl_seconds: 600 };
const salt = '00112233445566778899aabbccddeeff';
const password = `h1.${salt}.${createHmac('sha256', salt).update('good').digest('hex')}`;
const startsWithAdmin = condition.parse(parseCondition('path starts_with "/admin/"').condition);

interface Kind {
  site: Partial<SiteInput>;
  /** Of what an origin would serve. */
  isForbidden: (path: string) => boolean;
  /** Asked twice, and forbidden is only what comes from the cache. */
  isOfCache?: true;
}

/** What keeps visitors from something, each on a site of its own. */
const kinds: Record<string, Kind> = {
  deny: { site: { access: { rules: [{ action: 'deny', only_paths: paths }] } }, isForbidden: isClosed },
  level: { site: {}, isForbidden: isClosed },
  otherwise: {
    site: { access: { rules: [{ action: 'allow', only_paths: ['/public/'] }], otherwise: 'deny' } },
    isForbidden: isOutside,
  },
  condition: {
    site: { access: { rules: [{ action: 'deny', condition: startsWithAdmin }] } },
    isForbidden: (path) => path.startsWith('/admin/'),
  },
  password: {
    site: {
      access: {
        basic_auth: { enabled: true, realm: 'x', users: [{ name: 'ann', password }] },
        auth_paths: paths,
      },
    },
    isForbidden: isClosed,
  },
  open: {
    site: {
      access: {
        basic_auth: { enabled: true, realm: 'x', users: [{ name: 'ann', password }] },
        open_paths: ['/public/'],
      },
    },
    isForbidden: isOutside,
  },
  signed: {
    site: { access: { signing: { enabled: true, secret: 'a-key-of-ours' }, signed_paths: paths } },
    isForbidden: isClosed,
  },
  referer: {
    site: { referer: { enabled: true, allow_empty: false, only_paths: paths } },
    isForbidden: isClosed,
  },
  redirect: {
    site: {
      rewrite: {
        redirects: [
          { type: 'prefix', from: '/admin/', to: 'https://elsewhere.test/' },
          { type: 'url', from: '/secret.css', to: 'https://elsewhere.test/' },
        ],
      },
    },
    isForbidden: isElsewhere,
  },
  rewrite: {
    site: {
      rewrite: {
        url_rewrites: [
          { type: 'prefix', from: '/admin/', to: '/closed/' },
          { type: 'path', from: '/secret.css', to: '/closed' },
        ],
      },
    },
    isForbidden: isElsewhere,
  },
  folder: {
    site: { rules: [{ type: 'folder', content: ['/public/'], ...cached }] },
    isForbidden: isOutside,
    isOfCache: true,
  },
  suffix: {
    site: { rules: [{ type: 'suffix', content: ['css'], ...cached }] },
    // Suffixes are of any case.
    isForbidden: (path) => !path.toLowerCase().endsWith('.css'),
    isOfCache: true,
  },
  bypass: {
    site: {
      rules: [
        { type: 'folder', content: ['/admin/'], action: 'bypass' },
        { type: 'all', ...cached },
      ],
    },
    isForbidden: (path) => path.startsWith('/admin/'),
    isOfCache: true,
  },
};
const names = Object.keys(kinds);
let sites = 0;

/** A site of each kind before an origin; its host begins with the kind. */
async function serve(origin: string, port: number): Promise<void> {
  for (const [name, { site }] of Object.entries(kinds)) {
    const id = (sites += 1);
    const made = makeSite({
      id,
      domains: [`${name}.${origin}.test`],
      origins: [{ address: '127.0.0.1', http_port: port }],
      rules: bypass,
      advanced: { access_log: { enabled: false } },
      ...site,
    });
    const [result] = await edge.applySites(made);
    expect(result!.error).toBeUndefined();
    if (name === 'level') await closeByLevel(made.client_id);
  }
}

async function closeByLevel(clientId: number): Promise<void> {
  const access_control = levelAccess.parse({ rules: [{ action: 'deny', only_paths: paths }] });
  const document = { level: 'client', target_id: clientId, access_control };
  const envelope = makeEnvelope('level', `client-${clientId}`, edge.nextRevision(), document);
  expect(await edge.control('POST', '/documents', [envelope])).toMatchObject([{ status: 'applied' }]);
}

interface Figures {
  forms: number;
  /** Requests that came to an origin, or were answered from what one gave before. */
  served: number;
  fromCache: number;
  /** Refused for how they are written. */
  refused: number;
  waysIn: string[];
}

function judge(figures: Figures, name: string, target: string, isLast: boolean) {
  const { isForbidden, isOfCache } = kinds[name]!;
  return (head: string, body: string) => {
    const isStored = /\r\nx-cache: HIT/i.test(head);
    if (isLast) figures.forms += 1;
    if (/^(?:HTTP\/1\.1|:status:) (?:400|404)/.test(head)) figures.refused += 1;
    if (!body.includes(served)) return;
    figures.served += 1;
    if (isStored) figures.fromCache += 1;
    const isUnjudged = isOfCache === true && !isStored;
    for (const path of body.split('\n').slice(1))
      if (path !== '' && (path.startsWith(ownPrefix) || (!isUnjudged && isForbidden(path))))
        figures.waysIn.push(`${name}: ${target} → ${path}`);
    if (target.startsWith(ownPrefix)) figures.waysIn.push(`${name}: ${target} is below the edge's own`);
  };
}

function* asksOf(origin: string, forms: number, from: number, figures: Figures): Generator<Ask, void> {
  const random = randomFrom(from);
  const targets = pathForms(random);
  for (let made = 0; made < forms; made++) {
    const name = names[Math.floor(random() * names.length)]!;
    const host = `${name}.${origin}.test`;
    const target = targets.next().value;
    if (kinds[name]!.isOfCache) yield { host, target, settle: judge(figures, name, target, false) };
    yield { host, target, settle: judge(figures, name, target, true) };
  }
}

it.each(Object.keys(pathOrigins))(
  'no form of a path gets past a rule to an origin of %s',
  { timeout: 120_000 + count * 5 },
  async (origin) => {
    const { port, close } = await pathOrigins[origin]!();
    const figures: Figures = { forms: 0, served: 0, fromCache: 0, refused: 0, waysIn: [] };
    try {
      await serve(origin, port);
      const overHttp2 = Math.floor(count / 10);
      await askInStreams(edge.httpsPort, asksOf(origin, overHttp2, seed + 1, figures));
      await askInPipelines(edge.httpPort, asksOf(origin, count - overHttp2, seed, figures), 8);
    } finally {
      await close();
    }
    const { forms, served: reached, fromCache, refused, waysIn } = figures;
    console.log(
      `${origin}: ${forms} forms (seed ${seed}), ${reached} answers of the origin, ${fromCache} of them from the cache, ${refused} refused, ${waysIn.length} ways in`,
      waysIn.slice(0, waysToldMax),
    );
    expect(waysIn.slice(0, waysToldMax), `PATH_SEED=${seed}`).toEqual([]);
    // It tries something: many get through, and some are stored.
    expect(forms).toBe(count);
    expect(reached).toBeGreaterThan(count / 10);
    expect(fromCache).toBeGreaterThan(count / 200);
  },
);
