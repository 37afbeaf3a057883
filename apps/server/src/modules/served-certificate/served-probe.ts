import { connect, type DetailedPeerCertificate, type TLSSocket } from 'node:tls';

/** Of one certificate as a visitor gets it. */
export interface ServedCertificate {
  fingerprint: string;
  serial: string;
  issuer: string;
  notAfter: Date;
}
export type Probe = { chain: ServedCertificate[]; stapled?: Buffer } | { error: string };

export interface Asked {
  host: string;
  port: number;
  servername: string;
  /** A visitor who can check keys of this kind alone. */
  keyType: 'rsa' | 'ec';
}

const patienceMs = 5000;
const signatures = {
  rsa: 'RSA-PSS+SHA256:RSA-PSS+SHA384:RSA-PSS+SHA512:RSA+SHA256:RSA+SHA384:RSA+SHA512:RSA+SHA1',
  ec: 'ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ECDSA+SHA1',
};

/** A handshake as a visitor makes it, with whatever version and ciphers the site allows. Nothing is asked after it. */
export function probe({ host, port, servername, keyType }: Asked): Promise<Probe> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      servername,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
      sigalgs: signatures[keyType],
      requestOCSP: true,
    });
    let stapled: Buffer | undefined;
    // Before the handshake is done.
    socket.once('OCSPResponse', (answer: Buffer | null) => (stapled = answer ?? undefined));
    const settle = (found: Probe) => {
      resolve(found);
      socket.destroy();
    };
    socket.setTimeout(patienceMs, () => settle({ error: 'ETIMEDOUT' }));
    socket.once('error', (error: NodeJS.ErrnoException) => settle({ error: error.code ?? error.message }));
    socket.once('secureConnect', () => settle({ chain: chainOf(socket), ...(stapled ? { stapled } : {}) }));
  });
}

function chainOf(socket: TLSSocket): ServedCertificate[] {
  const chain: ServedCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  // A root is its own issuer.
  for (const seen = new Set<string>(); next?.fingerprint256 && !seen.has(next.fingerprint256);) {
    seen.add(next.fingerprint256);
    chain.push({
      fingerprint: next.fingerprint256,
      serial: next.serialNumber,
      issuer: textOf(next.issuer.O) || textOf(next.issuer.CN),
      notAfter: new Date(next.valid_to),
    });
    next = next.issuerCertificate;
  }
  return chain;
}

const textOf = (part: string | string[] | undefined): string => [part ?? ''].flat()[0] ?? '';
