import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface NetworkNamespace {
  /** Before a command, which then runs in there. */
  readonly command: readonly string[];
  nft(...given: string[]): Promise<string>;
  close(): Promise<void>;
}

const run = promisify(execFile);
let count = 0;

/** A network of its own with these addresses on its loopback: rules of nftables in there touch nothing of the machine's. */
export async function networkNamespace(addresses: readonly string[] = []): Promise<NetworkNamespace> {
  const name = `breakwater-${process.pid}-${count++}`;
  const ip = (...given: string[]) => run('/usr/sbin/ip', given);
  const command = ['/usr/sbin/ip', 'netns', 'exec', name];
  await ip('netns', 'add', name);
  const close = async () => void (await ip('netns', 'del', name));
  try {
    await ip('-n', name, 'link', 'set', 'lo', 'up');
    for (const address of addresses)
      await ip('-n', name, 'addr', 'add', address, 'dev', 'lo', ...(address.includes(':') ? ['nodad'] : []));
  } catch (error) {
    await close();
    throw error;
  }
  const nft = async (...given: string[]) =>
    (await ip('netns', 'exec', name, '/usr/sbin/nft', ...given)).stdout;
  return { command, nft, close };
}
