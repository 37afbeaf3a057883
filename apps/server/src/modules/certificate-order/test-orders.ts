import type { CertificateOrder, CertificateStep } from '@breakwater/contract';
import {
  makeCustomer,
  makeSite,
  saveSetting,
  startDnsHost,
  startPebble,
  startWorld,
  unique,
  waitFor,
  type Customer,
  type DnsHost,
  type Pebble,
  type World,
} from '@breakwater/test-world';
import { freePorts } from '@breakwater/test-world/ports';
import { eq } from 'drizzle-orm';
import { certificate } from '../../db/schema.ts';

/** Two customers, a DNS host, and an authority that refuses a fifth of all nonces: orders are proven by dns-01. */
export class OrderWorld {
  readonly world: World;
  readonly host: DnsHost;
  readonly pebble: Pebble;
  readonly one: Customer;
  readonly other: Customer;
  dnsId = 0;
  accountId = 0;

  private constructor(
    { world, host, pebble }: Pick<OrderWorld, 'world' | 'host' | 'pebble'>,
    [one, other]: [Customer, Customer],
  ) {
    this.world = world;
    this.host = host;
    this.pebble = pebble;
    this.one = one;
    this.other = other;
  }

  /** Without a worker nothing of an order is done but by the test. */
  static async start(templateUrl: string, { worker = true } = {}): Promise<OrderWorld> {
    const host = await startDnsHost(['example.com']);
    const [httpPort] = (await freePorts(1)) as [number];
    const [world, pebble] = await Promise.all([
      startWorld({ templateUrl, worker }),
      startPebble({ httpPort, dnsServer: host.server, nonceReject: 20 }),
    ]);
    await saveSetting(world, 'SiteSetting', {
      dns_servers: [host.server],
      compared_dns_servers: [],
      site_check: false,
    });
    const customers = await Promise.all([makeCustomer(world), makeCustomer(world)]);
    const orders = new OrderWorld({ world, host, pebble }, customers);
    orders.dnsId = await orders.makeDns(orders.one);
    orders.accountId = await orders.makeAccount();
    return orders;
  }

  async close(): Promise<void> {
    await this.world.close();
    await Promise.all([this.pebble.close(), this.host.close()]);
  }

  get db() {
    return this.world.server.services.db;
  }

  async makeDns({ api }: Customer, key = this.host.apiKey, url = this.host.apiUrl): Promise<number> {
    const params = { url, api_key: key, server_id: 'localhost' };
    const body = { name: unique('dns'), provider: 'powerdns' as const, params };
    return (await api.get('createDnsAccount', { body })).id;
  }

  async makeAccount(more: object = {}): Promise<number> {
    const body = {
      name: unique('authority'),
      directory: 'other' as const,
      directory_url: this.pebble.directoryUrl,
      directory_ca: this.pebble.ca,
      terms_agreed: true,
      ...more,
    };
    return (await this.world.admin.get('createAcmeAccount', { body })).id;
  }

  /** An order for a new site's name unless others are given. */
  async order(customer: Customer, more: object = {}, domains?: string[]) {
    const site = await makeSite(customer.api, { orderId: customer.orderId });
    const body = {
      name: unique('order'),
      domains: domains ?? [site.domain],
      challenge: 'dns-01' as const,
      dns_account_id: this.dnsId,
      ...more,
    };
    return customer.api.call('createCertificateOrder', { body });
  }

  read(id: number): Promise<CertificateOrder> {
    return this.one.api.get('getCertificateOrder', { params: { id } });
  }

  /** As they happened. */
  async stepsOf(id: number): Promise<CertificateStep[]> {
    const query = { page_size: 100 };
    return (await this.one.api.get('listCertificateSteps', { params: { id }, query })).list.toReversed();
  }

  reached(id: number, state: CertificateOrder['state']): Promise<CertificateOrder> {
    return waitFor(`order ${id} to be ${state}`, async () => {
      const found = await this.read(id);
      return found.state === state && found;
    });
  }

  /** Of the first customer. */
  async obtained(more: object = {}): Promise<CertificateOrder> {
    const { data } = await this.order(this.one, more);
    return this.reached(data.id, 'valid');
  }

  run(id: number) {
    return this.one.api.get('runCertificateOrder', { params: { id } });
  }

  async certificateOf(id: number) {
    const [row] = await this.db.select().from(certificate).where(eq(certificate.id, id));
    return row!;
  }
}

/** What would be sent to keep it as it is. */
export const inputOf = (order: CertificateOrder) => {
  const { name, domains, acme_account_id, challenge, dns_account_id, key_type, reuse_key } = order;
  return { name, domains, acme_account_id, challenge, dns_account_id, key_type, reuse_key };
};
