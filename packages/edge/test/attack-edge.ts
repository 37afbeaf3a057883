import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { unkeyedFields } from './unkeyed-fields.ts';
import { ambiguousRequests, oddRequests } from './ambiguous-requests.ts';

/** An edge that serves a site, wherever it is: all that these attacks need to know. */
export interface AttackedEdge {
  /** Where it is asked: `http://192.0.2.1:8000`. */
  url: string;
  /** A domain of a site that it serves, and whose owner agrees. */
  host: string;
  /** A path that a rule of the site closes, and a text that only its content has. */
  closed?: { path: string; content: string };
}

interface Heard {
  statuses: number[];
  text: string;
}

/** Sends bytes, and gives back what comes until the connection ends or nothing more comes. */
function raw(url: string, text: string): Promise<Heard> {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === 'https:';
  const where = { host: hostname, port: Number(port || (isTls ? 443 : 80)), rejectUnauthorized: false };
  return new Promise((settle, refuse) => {
    const socket = isTls ? connectTls(where) : connect(where);
    let seen = '';
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.write(text, 'latin1'));
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (data: Buffer) => (seen += data.toString('latin1')));
    socket.on('error', refuse);
    socket.on('close', () => {
      const statuses = [...seen.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
      settle({ statuses, text: seen });
    });
  });
}

const asked = (host: string, target: string, fields = '') =>
  `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${fields}Connection: close\r\n\r\n`;

/** A path in other spellings, as servers read them differently. */
function spellings(path: string): string[] {
  const rest = path.slice(1);
  const first = path.charCodeAt(1).toString(16);
  return [
    path,
    `/.${path}`,
    `/%2e${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/x%2f..%2f${rest}`,
    `/x/..%2f${rest}`,
    `/x/..;${path}`,
    `/x/..%5c${rest}`,
    `/x\\..\\${rest}`,
    `//x/..${path}`,
    `/${path}`,
    `/%2f${rest}`,
    `/%5c${rest}`,
    `/;${path}`,
    `/%${first}${path.slice(2)}`,
    `/%25${first}${path.slice(2)}`,
    `${path}%23`,
    `${path};.css`,
    `${path}%00`,
    `${path}%2f.`,
    `/.well-known/breakwater/..%2f..%2f${rest}`,
    `/.well-known/breakwater/../..${path}`,
    `/.well-known/breakwater/%2e%2e/%2e%2e${path}`,
  ];
}

/** Tries what a stranger would; nothing of it changes a thing at the edge beyond some entries in its cache. */
export function attackEdge(find: () => AttackedEdge): void {
  // Names stand in titles before the edge is known.
  const host = 'host.invalid';
  const at = (text: string) => text.replaceAll(host, find().host);

  describe('requests that could be taken for two', () => {
    it.each(ambiguousRequests(host))('are refused: %s', async (_name, text) => {
      const { statuses } = await raw(find().url, at(text));
      expect(statuses).toHaveLength(1);
      expect([400, 501]).toContain(statuses[0]);
    });

    it.each(oddRequests(host))('are answered once: %s', async (_name, text) => {
      expect((await raw(find().url, at(text))).statuses).toHaveLength(1);
    });
  });

  it.each(unkeyedFields)('%s shapes no stored answer', async (name) => {
    const { url, host: own } = find();
    const target = `/?${Math.random().toString(36).slice(2)}`;
    await raw(url, asked(own, target, `${name}: evil.invalid\r\n`));
    expect((await raw(url, asked(own, target))).text).not.toContain('evil.invalid');
  });

  it.each(['..%2f..%2f', '%2e%2e/%2e%2e/', 'x', 'address/..%2f..%2f', '..;/', '%00'])(
    "no path below the edge's own prefix reaches an origin: %s",
    async (rest) => {
      const { url, host: own } = find();
      const { statuses } = await raw(url, asked(own, `/.well-known/breakwater/${rest}`));
      expect(statuses).toHaveLength(1);
      expect([400, 403, 404]).toContain(statuses[0]);
    },
  );

  it('a closed path stays closed in every spelling', async ({ skip }) => {
    const { url, host: own, closed } = find();
    if (closed === undefined) return skip('no closed path was named');
    const open: string[] = [];
    for (const target of spellings(closed.path))
      if ((await raw(url, asked(own, target))).text.includes(closed.content)) open.push(target);
    expect(open).toEqual([]);
  });
}
