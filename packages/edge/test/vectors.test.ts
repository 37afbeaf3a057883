import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Vector } from '@breakwater/policy/vectors';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildBundle } from '../build.ts';
import { findNginx, workerAccount } from '../nginx-program.ts';
import { makeEdgeDir } from './support.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = new URL('../../policy/vectors/', import.meta.url);
let dir: string;
let stop: () => Promise<unknown>;

/** A bare nginx that runs the compiled policy on what it is sent. */
beforeAll(async () => {
  dir = await makeEdgeDir();
  const bundle = await buildBundle(join(root, 'src/vectors.ts'), join(root, 'dist/vectors.lua'));
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
  ${paths.join(' ')} access_log off; client_body_buffer_size 1m;
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
