import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patternProblem } from '@breakwater/contract/condition-check';
import { findPattern } from '@breakwater/contract/pattern-find';
import { matchPattern } from '@breakwater/contract/pattern-match';
import { randomFrom } from '@breakwater/policy/lib/test-random';
import type { Vector } from '@breakwater/policy/vectors/vectors';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildBundle } from '../build/build.ts';
import { findNginx, workerAccount } from '../process/nginx-program.ts';
import { makeEdgeDir } from './support.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = new URL('../../policy/vectors/', import.meta.url);
let dir: string;
let stop: () => Promise<unknown>;

/** A bare nginx that runs the compiled policy on what it is sent. */
beforeAll(async () => {
  dir = await makeEdgeDir();
  const bundle = await buildBundle(join(root, 'lua/vectors.ts'), join(root, 'dist/vectors.lua'));
  const { program, modulesDir } = findNginx();
  const account = workerAccount();
  await mkdir(join(dir, 'tmp'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path "${dir}/tmp/${name}";`,
  );
  await writeFile(
    join(dir, 'nginx.conf'),
    `load_module "${modulesDir}/ndk_http_module.so"; load_module "${modulesDir}/ngx_http_lua_module.so";
${account === undefined ? '' : `user ${account.name};`} daemon off; pid "${dir}/nginx.pid"; error_log "${dir}/error.log";
events {}
http {
  ${paths.join(' ')} access_log off; client_body_buffer_size 4m; client_max_body_size 4m;
  lua_package_path "/usr/share/lua/5.1/?.lua;;";
  lua_shared_dict edge_documents 1m; lua_shared_dict edge_health 1m; lua_shared_dict edge_resolved 1m;
  init_by_lua_block { vectors = dofile("${bundle}") }
  server { listen "unix:${dir}/socket"; location / { content_by_lua_block {
    ngx.req.read_body() ngx.print(vectors.runVectors(string.sub(ngx.var.uri, 2), ngx.req.get_body_data())) } } }
}
`,
  );
  const child = spawn(program, ['-p', dir, '-e', 'error.log', '-c', 'nginx.conf'], { stdio: 'inherit' });
  const ended = new Promise((settle) => child.once('exit', settle));
  stop = () => (child.kill('SIGTERM'), ended);
  await vi.waitFor(() => post('path', '[]'), { timeout: 10_000 });
});

afterAll(async () => {
  await stop();
  await rm(dir, { recursive: true, force: true });
});

function post(decision: string, body: string): Promise<string> {
  return new Promise((settle, refuse) => {
    const call = request(
      { socketPath: join(dir, 'socket'), path: `/${decision}`, method: 'POST' },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        response.on('end', () => settle(Buffer.from(text, 'latin1').toString()));
      },
    );
    call.on('error', refuse);
    call.end(body);
  });
}

describe('the compiled policy decides in nginx as it does in Node', () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    it(`in ${file}`, async () => {
      const json = readFileSync(new URL(file, folder), 'utf8');
      const vectors = JSON.parse(json) as Vector[];
      const answers = JSON.parse(await post(file.replace('.json', ''), json)) as unknown[];
      expect(vectors.map(({ about }, index) => ({ about, answer: answers[index] }))).toEqual(
        vectors.map(({ about, expect: wanted }) => ({ about, answer: wanted })),
      );
    });
  }
});

it('PCRE finds what the contract’s own matcher finds, in any pattern that is accepted', async () => {
  const cases = casesByChance(6000);
  const answers = JSON.parse(await post('pattern-find', JSON.stringify(cases))) as unknown[];
  const own = cases.map(({ input: { subject, pattern, insensitive, from } }) => {
    const found = findPattern(subject, pattern, insensitive, from);
    return found ? { ...found, groups: found.groups.join('|') } : { start: -1 };
  });
  expect(answers.map((answer, index) => ({ ...cases[index], answer }))).toEqual(
    own.map((answer, index) => ({ ...cases[index], answer })),
  );
  expect(own.filter(({ start }) => start >= 0).length).toBeGreaterThan(2000);
  for (const { input } of cases)
    expect([input, matchPattern(input.subject, input.pattern, input.insensitive)]).toEqual([
      input,
      findPattern(input.subject, input.pattern, input.insensitive, 0) !== undefined,
    ]);
});

function casesByChance(count: number) {
  const random = randomFrom(29);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const atoms = [
    'a',
    'b',
    'c',
    'B',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\W',
    '\\d',
    '\\s',
    '\\n',
    '^',
    '$',
    '\\b',
    '\\B',
  ];
  const repeats = ['', '', '', '*', '+', '?', '{1,2}', '{2}', '{0,2}', '*?', '+?', '??', '{1,3}?', '{2,}'];
  const some = (depth: number): string => {
    const inner = () => pattern(depth - 1);
    const kinds = depth > 0 ? 5 : 1;
    const atom = [
      () => pick(atoms),
      () => `(${inner()})`,
      () => `(?:${inner()})`,
      () => `(?=${inner()})`,
      () => `(?!${inner()})`,
    ][Math.floor(random() * kinds)]!();
    const isEdge =
      ['^', '$', '\\b', '\\B'].includes(atom) || atom.startsWith('(?=') || atom.startsWith('(?!');
    return atom + (isEdge ? '' : pick(repeats));
  };
  const pattern = (depth: number): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => some(depth)).join('') +
    (random() < 0.3 ? `|${some(depth)}` : '');
  const letters = ['a', 'b', 'c', 'A', 'B', '1', ' ', '\n', '-'];
  const cases: { about: string; input: PatternInput }[] = [];
  while (cases.length < count) {
    const input = {
      pattern: pattern(2),
      insensitive: random() < 0.3,
      subject: Array.from({ length: Math.floor(random() * 8) }, () => pick(letters)).join(''),
      from: 0,
    };
    input.from = random() < 0.2 ? Math.floor(random() * input.subject.length) : 0;
    if (patternProblem(input.pattern, input.insensitive) === undefined) cases.push({ about: '', input });
  }
  return cases;
}

interface PatternInput {
  pattern: string;
  subject: string;
  insensitive: boolean;
  from: number;
}
