import { toHex } from '../lib/digest.ts';

/**
 * The keys that challenges and passes are signed with, as the agent tells them; kept over reloads. The first signs, all are
 * believed. A node that was told none makes one for itself: its passes are good for it alone.
 */
const kept = ngx.shared.edge_keys;
const ownName = 'pass_own';

let lastText = '';
let last: string[] = [];

export function putPassKeys(keys: string[]): void {
  kept.set('passes', keys.join(' '));
}

export function passKeys(): string[] {
  const text = (kept.get('passes') as string | undefined) ?? '';
  if (text === '') return [ownKey()];
  if (text !== lastText) {
    last = text.split(' ');
    lastText = text;
  }
  return last;
}

function ownKey(): string {
  const known = kept.get(ownName) as string | undefined;
  if (known !== undefined) return known;
  const [file] = io.open('/dev/urandom', 'rb');
  const bytes = file!.read(32)!;
  file!.close();
  // Of several workers that make one at once, the first decides.
  kept.add(ownName, toHex(bytes));
  return kept.get(ownName) as string;
}
