import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { linkedNamespaces } from '@breakwater/test-world/network-namespace';
import { expect, it, onTestFinished } from 'vitest';

/** The rule of nftables that operators are given for connections that ask for nothing, as it stands there, with real packets. */

const [node, crowd, somebody] = ['198.51.100.1', '198.51.100.7', '198.51.100.8'];
const most = 5;

const server = `require('node:net').createServer((socket) => socket.resume().on('error', () => {})).listen(443, '${node}', () => console.log('up'))`;
/** One connection after the other, then one of somebody else, then two less of the first, until there is room again. */
const visitors = `
  const { connect } = require('node:net');
  const open = (localAddress) => new Promise((settle) => {
    const socket = connect({ host: '${node}', port: 443, localAddress });
    socket.on('connect', () => settle(socket)).on('error', ({ code }) => settle(code));
  });
  const say = (socket) => (typeof socket === 'string' ? socket : 'open');
  (async () => {
    const of = [];
    for (let n = 0; n < ${most + 2}; n++) of.push(await open('${crowd}'));
    const other = await open('${somebody}');
    of[0].destroy();
    of[1].destroy();
    let again;
    do again = say(await open('${crowd}'));
    while (again !== 'open');
    console.log(JSON.stringify([...of.map(say), say(other), again]));
    process.exit(0);
  })();`;

it('are limited for each address by the rule in docs/operations.md', { timeout: 60_000 }, async () => {
  const docs = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, rule] = /`nft (add rule inet filter input [^`]*ct count over 500[^`]*)`/.exec(docs)!;
  const { near, far } = await linkedNamespaces([`${node}/24`], [`${crowd}/24`, `${somebody}/24`]);
  onTestFinished(near.close);
  onTestFinished(far.close);
  await near.nft('add table inet filter; add chain inet filter input { type filter hook input priority 0; }');
  await near.nft(rule!.replace('over 500', `over ${most}`));

  const [command, ...leading] = near.command;
  const serving = spawn(command!, [...leading, process.execPath, '-e', server]);
  onTestFinished(() => void serving.kill('SIGKILL'));
  await once(serving.stdout, 'data');
  const [program, ...before] = far.command;
  const { stdout } = await promisify(execFile)(program!, [...before, process.execPath, '-e', visitors]);
  const open = Array.from({ length: most }, () => 'open');
  expect(JSON.parse(stdout)).toEqual([...open, 'ECONNREFUSED', 'ECONNREFUSED', 'open', 'open']);
});
