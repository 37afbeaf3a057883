import { request as httpsRequest } from 'node:https';
import { connect, type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';
import { certificateSettings } from '@breakwater/contract/site-config/certificate-settings';
import type { IssuedPair } from '@breakwater/test-world/authority';
import type * as z from 'zod';
import { makeEnvelope, makeSite, startOrigin, TestEdge, type TestOrigin } from './support.ts';

export type Settings = z.input<typeof certificateSettings>;

/** As nodes are told: what the platform does by itself is no business of theirs. */
export function toldSettings(settings: Settings) {
  const {
    auto_certificate: _on,
    auto_acme_account_id: _acme,
    auto_dns_account_id: _dns,
    ...told
  } = certificateSettings.parse(settings);
  return told;
}

export interface Handshake {
  socket: TLSSocket;
  protocol: string;
  cipher: string;
  certificate: DetailedPeerCertificate;
}

export interface Seen {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: { url: string; headers: Record<string, string>; count: number };
  text: string;
}

/** An edge and an origin that says what it was asked; sites with settings of their own. */
export class TlsWorld {
  readonly edge: TestEdge;
  readonly origin: TestOrigin;
  #ids = 0;

  private constructor(edge: TestEdge, origin: TestOrigin) {
    this.edge = edge;
    this.origin = origin;
  }

  static async start(): Promise<TlsWorld> {
    const origin: TestOrigin = await startOrigin((request, response) => {
      response.setHeader('Strict-Transport-Security', 'max-age=1');
      if (request.url!.startsWith('/kept')) response.setHeader('Cache-Control', 'max-age=600');
      response.end(JSON.stringify({ url: request.url, headers: request.headers, count: origin.count() }));
    });
    return new TlsWorld(await TestEdge.start(), origin);
  }

  async close(): Promise<void> {
    await this.edge.close();
    await this.origin.close();
  }

  /** Puts a site with these settings into service. */
  async serve(domain: string, settings: Settings, ...pairs: IssuedPair[]): Promise<number> {
    const id = (this.#ids += 1);
    const certificateIds = [];
    const envelopes = [];
    for (const [index, { certificate, key }] of pairs.entries()) {
      const certificate_id = id * 10 + index;
      certificateIds.push(certificate_id);
      const body = { certificate_id, domains: [domain, `*.${domain}`], certificate, private_key: key };
      envelopes.push(makeEnvelope('certificate', `${certificate_id}`, this.edge.nextRevision(), body));
    }
    const tls = toldSettings(settings);
    const site = makeSite({
      id,
      domains: [domain, `*.${domain}`],
      origins: [{ address: '127.0.0.1', http_port: this.origin.port }],
      tls: { ...tls, certificate_ids: certificateIds },
    });
    envelopes.push(makeEnvelope('site', `${id}`, this.edge.nextRevision(), site));
    const results = await this.edge.control<{ status: string; error?: string }[]>(
      'POST',
      '/documents',
      envelopes,
    );
    const refused = results.find(({ status }) => status !== 'applied');
    if (refused !== undefined) throw new Error(refused.error);
    return id;
  }

  handshake(servername: string, options: ConnectionOptions = {}): Promise<Handshake> {
    return new Promise((settle, refuse) => {
      const socket = connect(
        { host: '127.0.0.1', port: this.edge.httpsPort, servername, rejectUnauthorized: false, ...options },
        () =>
          settle({
            socket,
            protocol: socket.getProtocol()!,
            cipher: socket.getCipher().name,
            certificate: socket.getPeerCertificate(true),
          }),
      );
      socket.on('error', refuse);
    });
  }

  /** A request over TLS, whose Host may be another name than that of the handshake. */
  ask(host: string, path: string, options: ConnectionOptions & Record<string, unknown> = {}): Promise<Seen> {
    return new Promise((settle, refuse) => {
      const call = httpsRequest(
        {
          host: '127.0.0.1',
          port: this.edge.httpsPort,
          path,
          servername: host,
          rejectUnauthorized: false,
          agent: false,
          ...options,
          headers: { host, ...(options.headers as object) },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () =>
            settle({
              status: response.statusCode!,
              headers: response.headers,
              body: text.startsWith('{')
                ? (JSON.parse(text) as Seen['body'])
                : { url: '', headers: {}, count: 0 },
              text,
            }),
          );
        },
      );
      call.on('error', refuse);
      call.end();
    });
  }
}

export const certificateOf = ({ certificate, key }: IssuedPair) => ({ cert: certificate, key });
