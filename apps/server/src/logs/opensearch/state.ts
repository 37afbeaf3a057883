import { type Cluster, ClusterError, type Json } from './cluster.ts';
import type { Names } from './names.ts';

/** What the store must remember: small documents, each changed only by who has read its last state. */

export interface Versioned<Body> {
  body: Body;
  /** To write it back; absent for one that is not there yet. */
  version?: { seq: number; term: number };
}

interface Found {
  _source: Json;
  _seq_no: number;
  _primary_term: number;
}

export class StateDocuments {
  readonly #cluster: Cluster;
  readonly #names: Names;
  constructor(cluster: Cluster, names: Names) {
    this.#cluster = cluster;
    this.#names = names;
  }

  /** As it was last written, whether searches know of it or not. */
  async read<Body extends object>(id: string, empty: Body): Promise<Versioned<Body>> {
    const found = await this.#cluster.find<Found>(`/${this.#names.state}/_doc/${encodeURIComponent(id)}`);
    if (!found?._source) return { body: empty };
    return {
      body: found._source as Body,
      version: { seq: found._seq_no, term: found._primary_term },
    };
  }

  /** Returns whether it was still as it was read, and so was written. */
  async write(id: string, { body, version }: Versioned<object>): Promise<boolean> {
    const condition = version ? `if_seq_no=${version.seq}&if_primary_term=${version.term}` : 'op_type=create';
    try {
      await this.#cluster.call(
        'PUT',
        `/${this.#names.state}/_doc/${encodeURIComponent(id)}?${condition}`,
        body,
      );
      return true;
    } catch (error) {
      if (error instanceof ClusterError && error.status === 409) return false;
      throw error;
    }
  }

  /** Reads, changes and writes, again and again until nobody wrote in between. */
  async change<Body extends object>(
    id: string,
    empty: Body,
    work: (body: Body) => Body | undefined,
  ): Promise<Body> {
    for (;;) {
      const { body, version } = await this.read(id, empty);
      const changed = work(structuredClone(body));
      if (!changed) return body;
      if (await this.write(id, { body: changed, ...(version ? { version } : {}) })) return changed;
    }
  }

  /** All of a kind, those written a moment ago as well. */
  async list<Body extends { kind: string }>(kind: Body['kind']): Promise<{ id: string; body: Body }[]> {
    await this.#cluster.call('POST', `/${this.#names.state}/_refresh?ignore_unavailable=true`);
    const answer = await this.#cluster.call<{ hits: { hits: { _id: string; _source: Body }[] } }>(
      'POST',
      `/${this.#names.state}/_search?ignore_unavailable=true&allow_partial_search_results=false`,
      { size: 10_000, query: { term: { kind } } },
    );
    return answer.hits.hits.map(({ _id, _source }) => ({ id: _id, body: _source }));
  }
}
