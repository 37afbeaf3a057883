import { eq } from 'drizzle-orm';
import { createSecureContext, type SecureContext } from 'node:tls';
import { certificate } from '../db/schema.ts';
import { readPlatformHttps } from '../modules/setting/setting.store.ts';
import type { Services } from '../services.ts';

const readMilliseconds = 5000;

type Needed = Pick<Services, 'db' | 'secrets' | 'log'>;

/**
 * The certificate of the consoles and the node API, as it stands in the database: another one is shown to connections that come
 * some seconds later, without a restart. What cannot be read leaves the last one in service.
 */
export class PlatformHttps {
  readonly #services: Needed;
  readonly #timer: NodeJS.Timeout;
  #reading: Promise<void> | undefined;
  #fingerprint = '';
  #context: SecureContext | undefined;
  #redirects = false;

  private constructor(services: Needed) {
    this.#services = services;
    this.#timer = setInterval(() => void this.read(), readMilliseconds).unref();
  }

  static async open(services: Needed, closers: (() => Promise<unknown>)[]): Promise<PlatformHttps> {
    const https = new PlatformHttps(services);
    closers.push(() => https.close());
    await https.read();
    return https;
  }

  /** Undefined where the ports speak HTTP alone. */
  get context(): SecureContext | undefined {
    return this.#context;
  }

  get redirects(): boolean {
    return this.#redirects && this.#context !== undefined;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  /** As it is in the database now. */
  read(): Promise<void> {
    this.#reading ??= this.#load()
      .catch((err: unknown) => this.#services.log.warn({ err }, 'the certificate of the consoles'))
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #load(): Promise<void> {
    const { db, secrets } = this.#services;
    const { certificate_id: id, redirect } = await readPlatformHttps(db);
    this.#redirects = redirect;
    if (id === null) {
      this.#context = undefined;
      this.#fingerprint = '';
      return;
    }
    const [found] = await db
      .select({ fingerprint: certificate.fingerprint })
      .from(certificate)
      .where(eq(certificate.id, id));
    if (!found || found.fingerprint === this.#fingerprint) return;
    const [row] = await db.select().from(certificate).where(eq(certificate.id, id));
    if (!row) return;
    this.#context = createSecureContext({ cert: row.certificate, key: secrets.decrypt(row.privateKey) });
    this.#fingerprint = row.fingerprint;
  }
}
