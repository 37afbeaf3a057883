import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface NetworkNamespace {
  /** Before a command, which then runs in there. */
  readonly command: readonly string[];
  nft(...given: string[]): Promise<string>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const ip = (...given: string[]) => run('/usr/sbin/ip', given);
let count = 0;

/** A network of its own with these addresses on its loopback: rules of nftables in there touch nothing of the machine's. */
export function networkNamespace(addresses: readonly string[] = []): Promise<NetworkNamespace> {
  return makeNamespace(async (name) => {
    for (const address of addresses) await addAddress(name, address, 'lo');
  });
}

/** Two networks with a wire between them, for rules that a loopback does not show: there a packet that is refused has been sent already. */
export async function linkedNamespaces(
  near: readonly string[],
  far: readonly string[],
): Promise<{ near: NetworkNamespace; far: NetworkNamespace }> {
  const name = (end: string) => `${end}${process.pid}-${count}`;
  const plug = async (space: string, end: string, addresses: readonly string[]) => {
    for (const address of addresses) await addAddress(space, address, end);
    await ip('-n', space, 'link', 'set', end, 'up');
  };
  const [one, other] = [name('n'), name('f')];
  const first = await makeNamespace(async (space) => {
    await ip('link', 'add', one, 'netns', space, 'type', 'veth', 'peer', 'name', other);
    await plug(space, one, near);
  });
  const second = await makeNamespace(async (space) => {
    await ip('link', 'set', other, 'netns', space);
    await plug(space, other, far);
  });
  return { near: first, far: second };
}

/** One of IPv6 is used at once, and not after a while in which nobody else turned out to have it. */
const addAddress = (space: string, address: string, device: string) =>
  ip('-n', space, 'addr', 'add', address, 'dev', device, ...(address.includes(':') ? ['nodad'] : []));

async function makeNamespace(fill: (name: string) => Promise<void>): Promise<NetworkNamespace> {
  const name = `breakwater-${process.pid}-${count++}`;
  const command = ['/usr/sbin/ip', 'netns', 'exec', name];
  await ip('netns', 'add', name);
  const close = async () => void (await ip('netns', 'del', name));
  try {
    await ip('-n', name, 'link', 'set', 'lo', 'up');
    await fill(name);
  } catch (error) {
    await close();
    throw error;
  }
  const nft = async (...given: string[]) =>
    (await ip('netns', 'exec', name, '/usr/sbin/nft', ...given)).stdout;
  return { command, nft, close };
}
