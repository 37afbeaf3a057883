import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createConnection } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts } from '@breakwater/test-world/ports';
import { findNginx } from '../process/nginx-program.ts';

/**
 * Origins that answer with the resources which they would serve for a path: a line for each way in which programs on them
 * commonly read it. None has content of its own; what would be served is what is said.
 */
export interface PathOrigin {
  port: number;
  close(): Promise<void>;
}

/** The first line of what an origin answers, which no page of the edge begins with. */
export const served = 'served';

export const pathOrigins: Record<string, () => Promise<PathOrigin>> = {
  nginx: startNginx,
  node: startNode,
  python: startPython,
  php: startPhp,
};

const decode = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** As file servers, routers and frameworks of Node do: `send`, `URL`, matrix parameters, and the careless ones. */
function readingsOf(target: string): string[] {
  const [path = ''] = target.split('?', 1);
  const pathname = URL.canParse(target, 'http://origin') ? new URL(target, 'http://origin').pathname : path;
  const late = decode(target);
  return [
    posix.normalize(decode(path)),
    decode(pathname),
    posix.normalize(decode(pathname)),
    posix.normalize(decode(path.replaceAll(/;[^/]*/g, ''))),
    path.split(/%2f/i).map(decode).join('%2f'),
    posix.normalize(decode(decode(path))),
    late.split(/[?#]/, 1)[0]!,
    URL.canParse(late, 'http://origin') ? new URL(late, 'http://origin').pathname : late,
  ];
}

async function startNode(): Promise<PathOrigin> {
  const server = createServer((request, response) => {
    const body = [served, ...readingsOf(request.url!), ''].join('\n');
    response.setHeader('Content-Type', 'text/css');
    response.setHeader('Content-Length', Buffer.byteLength(body, 'latin1'));
    response.end(body, 'latin1');
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** `translate_path` of Python's own file server, `PATH_INFO` of its WSGI server, and what programs make of the target. */
const pythonProgram = `
import os, posixpath, sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlparse, urlsplit

root = sys.argv[2]

class Handler(SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self):
        target = self.requestline.split(' ')[1]
        bare = target.split('?', 1)[0]
        readings = [
            SimpleHTTPRequestHandler.translate_path(self, self.path)[len(root):] or '/',
            unquote(self.path.split('?', 1)[0], 'latin-1'),
            posixpath.normpath(unquote(bare, 'latin-1')) + ('/' if bare.endswith('/') else ''),
            unquote(unquote(bare, 'latin-1'), 'latin-1'),
        ]
        for parse in (urlparse, urlsplit):
            try:
                readings.append(unquote(parse(target).path, 'latin-1'))
            except ValueError:
                pass
        body = '\\n'.join(['${served}', *readings, '']).encode('latin-1', 'replace')
        self.send_response_only(200)
        self.send_header('Content-Type', 'text/css')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

os.chdir(root)
ThreadingHTTPServer.request_queue_size = 512
ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
`;

function startPython(): Promise<PathOrigin> {
  return startProgram('origin.py', pythonProgram, (port, file, folder) =>
    spawn('python3', [file, `${port}`, folder], { stdio: 'ignore' }),
  );
}

/** The script's name as the server found it, and what programs make of the target. */
const phpProgram = `<?php
function resolved($path) {
  $names = [];
  foreach (explode('/', $path) as $name) {
    if ($name === '..') array_pop($names);
    elseif ($name !== '' && $name !== '.') $names[] = $name;
  }
  return '/' . implode('/', $names) . (str_ends_with($path, '/') && $names ? '/' : '');
}
$target = $_SERVER['REQUEST_URI'];
$bare = explode('?', $target, 2)[0];
$readings = [
  $_SERVER['SCRIPT_NAME'],
  $_SERVER['PHP_SELF'],
  rawurldecode($bare),
  resolved(rawurldecode($bare)),
  urldecode(urldecode($bare)),
  preg_split('/[?#]/', rawurldecode($target), 2)[0],
];
$path = parse_url($target, PHP_URL_PATH);
if (is_string($path)) array_push($readings, rawurldecode($path), resolved(rawurldecode($path)));
$body = implode("\\n", ['${served}', ...$readings, '']);
header('Content-Type: text/css');
header('Content-Length: ' . strlen($body));
echo $body;
`;

function startPhp(): Promise<PathOrigin> {
  return startProgram('router.php', phpProgram, (port, file, folder) =>
    spawn('php', ['-q', '-d', 'html_errors=0', '-S', `127.0.0.1:${port}`, '-t', folder, file], {
      stdio: 'ignore',
    }),
  );
}

async function startNginx(): Promise<PathOrigin> {
  const { program } = findNginx();
  return startProgram('nginx.conf', '', async (port, file, folder) => {
    const conf = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/error.log crit;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 10000000;
    default_type text/css;
    location / { return 200 "${served}\\n$uri\\n"; }
  }
}`;
    await writeFile(file, conf);
    return spawn(program, ['-p', folder, '-c', file, '-e', `${folder}/error.log`], { stdio: 'ignore' });
  });
}

async function startProgram(
  name: string,
  program: string,
  start: (port: number, file: string, folder: string) => ChildProcess | Promise<ChildProcess>,
): Promise<PathOrigin> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-origin-'));
  const [port] = await freePorts(1);
  const file = join(folder, name);
  await writeFile(file, program);
  const child = await start(port!, file, folder);
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 100; tries++) {
    if (await answers(port!)) return { port: port!, close };
    await delay(100);
  }
  await close();
  throw new Error(`The origin of ${name} does not answer.`);
}

function answers(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = createConnection(port, '127.0.0.1', () => settle(true));
    socket.on('connect', () => socket.destroy());
    socket.on('error', () => settle(false));
  });
}
