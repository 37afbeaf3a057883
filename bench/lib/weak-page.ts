import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Handler } from '../../packages/test-world/src/index.ts';

/**
 * A small shop, written as carelessly as its makers could: SQL, markup and paths from the address. It is what scanners are let
 * loose on, on the loopback. Of files it gives its own and the one by which scanners tell that they may read any.
 */
export function weakPage(): Handler {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, secret TEXT);
    INSERT INTO item(name, secret) VALUES ('lamp', 'a'), ('chair', 'b'), ('table', 'c')`);
  const rows = (where: string) =>
    database
      .prepare(`SELECT name FROM item WHERE ${where}`)
      .all()
      .map(({ name }) => `<li>${String(name)}</li>`)
      .join('');
  const answers: Record<string, (asked: URLSearchParams) => string | Promise<string>> = {
    '/': () =>
      ['/item?id=1', '/search?q=lamp', '/hello?name=you', '/file?name=notes.txt']
        .map((href) => `<a href="${href}">${href}</a>`)
        .join(' '),
    '/item': (asked) => `<ul>${rows(`id = ${asked.get('id') ?? 1}`)}</ul>`,
    '/search': (asked) => `<ul>${rows(`name LIKE '%${asked.get('q') ?? ''}%'`)}</ul>`,
    '/hello': (asked) => `<p>Good day, ${asked.get('name') ?? ''}</p>`,
    '/file': (asked) => fileOf(asked.get('name') ?? ''),
  };
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://origin');
    const answer = answers[pathname];
    response.setHeader('Content-Type', 'text/html');
    response.setHeader('Cache-Control', 'no-store');
    if (answer === undefined) {
      response.writeHead(404).end('<p>Not here</p>');
      return;
    }
    Promise.try(answer, searchParams).then(
      (content) => response.end(`<!doctype html><title>Shop</title>${content}`),
      (error: unknown) => response.writeHead(500).end(`<p>${String(error)}</p>`),
    );
  };
}

async function fileOf(name: string): Promise<string> {
  const path = resolve('/srv/shop', name);
  if (path === '/srv/shop/notes.txt') return '<pre>Order lamps</pre>';
  if (path !== '/etc/passwd') throw new Error(`no such file: ${path}`);
  return `<pre>${await readFile(path, 'utf8')}</pre>`;
}
