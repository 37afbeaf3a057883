import { describe, expect, it } from 'vitest';
import { renderNginxConf, type NginxConfOptions } from './conf.ts';
import { front, nameOfConfiguration } from './front.ts';

const options: NginxConfOptions = {
  edgeDir: '/edge',
  luaBundle: '/edge.lua',
  httpPorts: [80],
  httpsPorts: [443],
  listenAddress: '192.0.2.1',
  workerProcesses: 1,
  openFilesMax: 1024,
  cacheDisks: [{ folder: '/edge/cache', sizeMax: '1g', freeMin: '1m' }],
  cacheKeysBytes: 1_048_576,
  nodeName: 'test',
  modulesDir: '/modules',
  caFolder: '/certs',
  luaPackagePath: ';;',
};

/** Debian's nginx has no HTTP/3, so what another would be given is looked at here and run nowhere. */
describe('HTTP/3', () => {
  it('is listened for and announced where nginx has it, over HTTPS only', () => {
    const conf = front({ ...options, extraHttpsPorts: [8443], http3: true });
    for (const port of [443, 8443])
      expect(conf).toContain(`listen 192.0.2.1:${port} quic reuseport default_server;`);
    expect(conf).not.toContain('listen 192.0.2.1:80 quic');
    expect(conf).toContain(`add_header Alt-Svc 'h3=":$server_port"; ma=86400' always;`);
  });

  it('leaves no trace where nginx has it not', () => {
    expect(front({ ...options, http3: false })).not.toMatch(/quic|Alt-Svc/);
  });
});

describe('listens', () => {
  it('are of IPv6 too where the machine has it and no address is given', () => {
    const { listenAddress: _, ...everywhere } = options;
    expect(front({ ...everywhere, ipv6: true })).toMatch(/listen 443 ssl[^;]*;\s+listen \[::\]:443 ssl/);
    expect(front({ ...everywhere, ipv6: false })).not.toContain('[::]');
  });

  it('let as many connections wait as the system allows', () => {
    for (const line of front(options).match(/^ *listen .*$/gm)!) expect(line).toContain(' backlog=65535;');
  });

  it('have another name with other ports', () => {
    expect(nameOfConfiguration(options)).not.toBe(
      nameOfConfiguration({ ...options, extraHttpPorts: [8080] }),
    );
    expect(nameOfConfiguration({ ...options, extraHttpPorts: [8080] })).not.toBe(
      nameOfConfiguration({ ...options, extraHttpsPorts: [8080] }),
    );
  });
});

it('sends no answer by threads', () => {
  // Of those in parts some would stop for a minute and be reset, too few for a test that downloads (decision 39).
  expect(renderNginxConf(options)).not.toMatch(/^\s*aio /m);
});

it('calls requests by one name alone', () => {
  // nginx's own is another, and only for those that are too broken to get one of ours.
  const conf = renderNginxConf({ ...options, http3: true });
  expect(conf.match(/^.*\$request_id\b.*$/gm)!.map((line) => line.trim())).toEqual([
    'map "" $edge_request_id { default $request_id; }',
  ]);
});
