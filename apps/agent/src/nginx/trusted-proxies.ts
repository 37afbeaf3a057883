import { cdnPresets } from '@breakwater/policy/address/cdn-preset';
import { parseNetwork } from '@breakwater/policy/address/ip';
import * as z from 'zod';
import { unpackRanges, type Range } from './packed-ranges.ts';

/** What of a site or a level says whose word on visitors' addresses it takes; all of it may be inherited. */
const trust = z.object({
  mode: z.string().optional(),
  preset: z.string().optional(),
  trusted: z.array(z.string()).optional(),
  address_lists: z.array(z.int()).optional(),
});
type Trust = z.output<typeof trust>;
const listRanges = z.object({ v4: z.string(), v6: z.string() });

/**
 * The networks whose word on visitors' addresses any site takes: its own, those of its CDN, and those of address lists. Behind one
 * address of theirs are many visitors, so the kernel neither bans nor counts it.
 */
export class TrustedProxies {
  readonly #listBody: (id: number) => Promise<string | undefined>;
  /** By document. */
  readonly #trusts = new Map<string, Trust>();
  /** As ranges, by list: those that a document names and that were read. */
  readonly #lists = new Map<number, Promise<string[]>>();

  /** `listBody`: the document of an address list that is in service. */
  constructor(listBody: (id: number) => Promise<string | undefined>) {
    this.#listBody = listBody;
  }

  /** Whether the networks may be others than before. */
  track(document: string, body: string | undefined): boolean {
    const [kind, key] = document.split('/');
    if (kind === 'address_list') return this.#lists.delete(Number(key));
    if (kind !== 'site' && kind !== 'level') return false;
    const found = trustOf(body);
    if (found === undefined) return this.#trusts.delete(document);
    this.#trusts.set(document, found);
    return true;
  }

  /** Networks, and ranges as `first-last`. */
  async networks(): Promise<string[]> {
    const trusts = [...this.#trusts.values()];
    const named = new Set(trusts.flatMap(({ address_lists: lists }) => lists ?? []));
    for (const id of this.#lists.keys()) if (!named.has(id)) this.#lists.delete(id);
    const listed = await Promise.all([...named].map((id) => this.#listed(id)));
    const own = trusts.flatMap(({ trusted }) => trusted ?? []).filter(isNarrowNetwork);
    // Thousands of sites may have the same one.
    const ofCdns = [...new Set(trusts.map(presetOf))].flatMap((name) => cdnPresets[name]?.networks ?? []);
    return [...new Set([...own, ...ofCdns, ...listed.flat()])];
  }

  #listed(id: number): Promise<string[]> {
    const known = this.#lists.get(id);
    if (known !== undefined) return known;
    const read = this.#listBody(id).then((body) => {
      if (body === undefined) return [];
      // What a later control plane writes in another form is for a later agent to read.
      const { data } = listRanges.safeParse(JSON.parse(body));
      if (data === undefined) return [];
      const { v4, v6 } = data;
      return [...unpackRanges(v4, 4), ...unpackRanges(v6, 16)].filter(isNarrow).map(({ text }) => text);
    });
    this.#lists.set(id, read);
    return read;
  }
}

/** There are many such documents, and few with such a setting: they are not read as a whole. It has no objects in it. */
function trustOf(body: string | undefined): Trust | undefined {
  const text = body?.match(/"real_ip":(\{[^{}]*\})/)?.[1];
  return text === undefined ? undefined : trust.safeParse(JSON.parse(text)).data;
}

/** Empty: none. One that names a preset may inherit that it is behind a CDN. */
const presetOf = ({ mode, preset }: Trust): string =>
  mode === 'cdn' || (mode === undefined && preset !== undefined) ? (preset ?? 'cloudflare') : '';

function isNarrowNetwork(text: string): boolean {
  const network = parseNetwork(text);
  return network !== undefined && network.bits >= (network.address.length === 4 ? 8 : 16);
}

/** Who trusts everybody (`0.0.0.0/0`) does so for their site, and takes nobody's protection away. Two networks side by side are packed as one. */
function isNarrow({ first, last }: Range): boolean {
  const leading = (address: Buffer) => (address.length === 4 ? address.readUInt8() : address.readUInt16BE());
  return leading(last) - leading(first) <= 1;
}
