import { readFileSync } from 'node:fs';
import type { SiteDraft } from '@breakwater/contract';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api-error.ts';
import { readDrafts } from './site-draft.service.ts';

const text = readFileSync(new URL('ten-servers.conf', import.meta.url), 'utf8').replaceAll('PORT', '8080');
const of = (drafts: SiteDraft[], domain: string) => drafts.find(({ domains }) => domains.includes(domain))!;
const said = ({ notes }: Pick<SiteDraft, 'notes'>) => notes.map(({ what, reason }) => `${reason} ${what}`);

describe('nginx', () => {
  const { drafts, notes } = readDrafts('nginx', text);

  it('gives a site for each set of names, HTTP and HTTPS together', () => {
    expect(drafts.map(({ domains }) => domains.join(' '))).toEqual([
      'blog.ten.test',
      'shop.ten.test',
      'www.shop.ten.test',
      'wiki.ten.test *.wiki.ten.test',
      'api.ten.test',
      'forum.ten.test',
      'intern.ten.test',
      'files.ten.test *.files.ten.test',
      'mail.ten.test',
      'git.ten.test',
    ]);
    expect(said({ notes })).toEqual(['no_domain server']);
  });

  it('takes origins with what their upstream says', () => {
    expect(of(drafts, 'shop.ten.test').sections.origin_server_config).toEqual({
      method: 'least_conn',
      protocol: 'http',
      read_timeout_seconds: 300,
      origins: [
        { address: '127.0.0.1', http_port: 8080, weight: 5, max_fails: 2, fail_timeout_seconds: 30 },
        { address: '127.0.0.1', http_port: 1, state: 'backup' },
      ],
    });
  });

  it('says with its line what it did not take, and why', () => {
    const line = text.split('\n').findIndex((each) => each.includes('auth_basic "Mail"')) + 1;
    expect(of(drafts, 'mail.ten.test').notes).toContainEqual({
      line,
      what: 'auth_basic Mail',
      reason: 'password',
    });
    expect(said(of(drafts, 'mail.ten.test'))).toEqual([
      'include include snippets/mail.conf',
      'password auth_basic Mail',
      'password auth_basic_user_file /etc/nginx/htpasswd',
      'condition if ($http_user_agent ~ bot)',
      'variable proxy_set_header X-Cert $ssl_client_cert',
    ]);
    expect(said(of(drafts, 'shop.ten.test'))).toEqual([
      'force_https return 301 https://$host$request_uri',
      'certificate ssl_certificate /etc/ssl/certs/shop.pem',
      'certificate ssl_certificate_key /etc/ssl/private/shop.key',
      'own_setting add_header Strict-Transport-Security max-age=31536000 always',
    ]);
    expect(said(of(drafts, 'forum.ten.test'))).toEqual(['condition location ~ \\.php$']);
    expect(said(of(drafts, 'git.ten.test'))).toEqual(['port listen 3000']);
  });

  it('takes what try_files falls back to for the whole site', () => {
    const written = `upstream app_server { server 127.0.0.1:8000 fail_timeout=0; }
    server {
      server_name app.test;
      location / { try_files $uri @proxy_to_app; }
      location @proxy_to_app { proxy_set_header X-Tenant blue; rewrite ^/(.*)$ /index.php?q=$1; proxy_pass http://app_server; }
      location @other { proxy_pass http://127.0.0.1:1; }
    }`;
    expect(readDrafts('nginx', written).drafts[0]!.sections).toMatchObject({
      origin_server_config: { origins: [{ address: '127.0.0.1', http_port: 8000 }] },
      content_rewrite: { request_headers: [{ name: 'X-Tenant', value: 'blue' }] },
    });
    const { sections, notes: left } = readDrafts('nginx', written).drafts[0]!;
    expect(sections.content_rewrite).not.toHaveProperty('url_rewrites');
    expect(left.map(({ reason }) => reason)).toEqual(['files', 'files']);
  });

  it('leaves a rule to the location that it stands in', () => {
    const written = `server {
      server_name lists.test;
      location = / { rewrite ^ /mailman/listinfo permanent; }
      location / { rewrite ^ /mailman$uri; }
      location /mailman/ { proxy_pass http://127.0.0.1:8080; }
      location /old/ { return 302 /new; }
      location = /old/exact { return 302 /exact; }
      location ~* \\.txt$ { return 403; }
    }`;
    const found = readDrafts('nginx', written).drafts[0]!;
    const not = (operator: string, values: string[]) => ({ operator, values, negated: true });
    expect(found.sections.content_rewrite).toMatchObject({
      redirects: [
        { from: '^', to: '/mailman/listinfo', condition: { items: [{ operator: 'equals', values: ['/'] }] } },
        {
          type: 'prefix',
          from: '/old/',
          condition: { items: [not('equals', ['/old/exact']), not('regex', ['\\.txt$'])] },
        },
        { type: 'url', from: '/old/exact', to: '/exact' },
      ],
      url_rewrites: [
        {
          from: '^',
          to: '/mailman${path}',
          condition: {
            items: [
              not('equals', ['/', '/old/exact']),
              not('starts_with', ['/mailman/', '/old/']),
              { ...not('regex', ['\\.txt$']), ignore_case: true },
            ],
          },
        },
      ],
    });
  });

  it.each([
    ['server { listen 80', 1, 19],
    ['server {\n  listen 80;\n}}', 3, 2],
    ['server {\n  server_name "a;\n}', 2, 15],
    ['{ }', 1, 1],
    [`${'a { '.repeat(30)}${'} '.repeat(30)}`, 1, 84],
  ])('says where %j cannot be read', (bad, line, column) => {
    const thrown = errorOf(() => readDrafts('nginx', bad));
    expect(thrown).toEqual([{ path: 'text', issue: `draft_syntax:${line}`, detail: `${line}:${column}` }]);
  });

  it('reads megabytes of braces and quotes in a moment', () => {
    const start = Date.now();
    readDrafts('nginx', `server { server_name a.test; ${'add_header X-A "b c"; '.repeat(40_000)} }`);
    expect(Date.now() - start).toBeLessThan(10_000);
  });
});

function errorOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.fields;
    throw error;
  }
  return undefined;
}

describe('other systems', () => {
  it('a zone of Cloudflare: what is proxied, by name', () => {
    const zone = `;; A Records
example.test.	1	IN	A	203.0.113.7 ; cf_tags=cf-proxied:true
example.test.	1	IN	A	203.0.113.8 ; cf_tags=cf-proxied:true
mail.example.test.	1	IN	A	203.0.113.9 ; cf_tags=cf-proxied:false
www.example.test.	1	IN	CNAME	example.test. ; cf_tags=cf-proxied:true
example.test.	1	IN	MX	10 mail.example.test.
example.test.	3600	IN	TXT	"v=spf1; -all"
`;
    const { drafts, notes } = readDrafts('cloudflare', zone);
    expect(drafts.map(({ domains, line }) => `${line} ${domains.join()}`)).toEqual([
      '2 example.test',
      '5 www.example.test',
    ]);
    expect(drafts[0]!.sections.origin_server_config).toEqual({
      protocol: 'follow',
      origins: [{ address: '203.0.113.7' }, { address: '203.0.113.8' }],
    });
    expect(notes.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '4 not_proxied',
      '6 not_web',
      '7 not_web',
    ]);
  });

  it('Nginx Proxy Manager: its API’s answers and its database’s rows', () => {
    const api = [
      {
        id: 1,
        domain_names: ['app.example.test'],
        forward_scheme: 'https',
        forward_host: '10.0.0.5',
        forward_port: 8443,
        certificate_id: 3,
        ssl_forced: true,
        access_list_id: 0,
        allow_websocket_upgrade: true,
        enabled: true,
        advanced_config: '',
        locations: [],
      },
    ];
    const { drafts } = readDrafts('npm', JSON.stringify(api));
    expect(drafts[0]).toMatchObject({
      domains: ['app.example.test'],
      sections: {
        origin_server_config: {
          protocol: 'https',
          websocket: true,
          origins: [{ address: '10.0.0.5', https_port: 8443 }],
        },
      },
    });
    expect(said(drafts[0]!)).toEqual(['force_https ssl_forced', 'certificate certificate_id']);
    const rows = {
      redirection_host: [
        {
          domain_names: '["old.example.test"]',
          forward_domain_name: 'new.example.test',
          forward_scheme: 'https',
          forward_http_code: 301,
          preserve_path: 1,
          enabled: 1,
        },
      ],
    };
    expect(readDrafts('npm', JSON.stringify(rows)).drafts[0]).toMatchObject({
      domains: ['old.example.test'],
      sections: {
        content_rewrite: { redirects: [{ to: 'https://new.example.test', keep_path: true, status: 301 }] },
      },
    });
  });

  it('a server of GoEdge', () => {
    const server = {
      name: 'one',
      isOn: true,
      serverNames: [
        { name: 'a.example.test', subNames: [] },
        { name: '', subNames: ['b.example.test'] },
      ],
      reverseProxy: {
        isOn: true,
        primaryOrigins: [
          { isOn: true, weight: 10, addr: { protocol: 'http', host: '10.0.0.7', portRange: '8080' } },
        ],
        backupOrigins: [{ isOn: true, addr: { protocol: 'http', host: '10.0.0.8', portRange: '8080' } }],
      },
      web: {
        isOn: true,
        hostRedirects: [
          {
            isOn: true,
            beforeURL: '/old',
            afterURL: 'https://b.example.test/new',
            status: 301,
            keepArgs: true,
          },
        ],
        firewallRef: { isOn: true },
      },
    };
    const { drafts } = readDrafts('goedge', JSON.stringify(server));
    expect(drafts[0]).toMatchObject({
      domains: ['a.example.test', 'b.example.test'],
      sections: {
        origin_server_config: {
          origins: [
            { address: '10.0.0.7', http_port: 8080, state: 'primary' },
            { address: '10.0.0.8', http_port: 8080, state: 'backup' },
          ],
        },
        content_rewrite: { redirects: [{ type: 'url', from: '/old', status: 301 }] },
      },
    });
    expect(said(drafts[0]!)).toEqual(['own_setting firewallRef']);
  });

  it('says of what is no JSON, and of what holds no site', () => {
    expect(errorOf(() => readDrafts('npm', '{'))).toMatchObject([{ issue: 'draft_json' }]);
    expect(errorOf(() => readDrafts('goedge', '[]'))).toMatchObject([{ issue: 'draft_none' }]);
  });
});
