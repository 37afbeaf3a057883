import { execFile } from 'node:child_process';
import { isIP } from 'node:net';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const newKey = {
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  rsa: ['-newkey', 'rsa:2048'],
};

export interface IssuedPair {
  /** With the authority's own behind it. */
  certificate: string;
  key: string;
  serial: string;
}

/** A certificate authority on disk, made with OpenSSL. */
export class Authority {
  readonly dir: string;
  readonly name: string;
  certificate = '';
  #issued = 0;

  private constructor(dir: string, name: string) {
    this.dir = dir;
    this.name = name;
  }

  static async make(name: string): Promise<Authority> {
    const authority = new Authority(await mkdtemp(join(tmpdir(), 'breakwater-ca-')), name);
    await authority.#openssl(
      ['req', '-x509', ...newKey.ec, '-nodes', '-days', '30', '-subj', `/CN=${name}`],
      ['-addext', 'basicConstraints=critical,CA:TRUE', '-keyout', 'ca.key', '-out', 'ca.crt'],
    );
    authority.certificate = await readFile(join(authority.dir, 'ca.crt'), 'utf8');
    await writeFile(join(authority.dir, 'index.txt'), '');
    await writeFile(join(authority.dir, 'index.txt.attr'), 'unique_subject = no\n');
    return authority;
  }

  /** A certificate for the names, the first its subject. With `days` below 0 it has ended. */
  async issue(
    names: string[],
    options: { key?: 'ec' | 'rsa'; responder?: string; days?: number } = {},
  ): Promise<IssuedPair> {
    const id = `${(this.#issued += 1)}`;
    const extensions = [
      `subjectAltName=${names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`).join(',')}`,
      ...(options.responder === undefined ? [] : [`authorityInfoAccess=OCSP;URI:${options.responder}`]),
    ];
    await writeFile(join(this.dir, `${id}.ext`), extensions.join('\n'));
    await this.#openssl(
      ['req', '-new', ...newKey[options.key ?? 'ec'], '-nodes', '-subj', `/CN=${names[0]}`],
      ['-keyout', `${id}.key`, '-out', `${id}.csr`],
    );
    const serial = id.padStart(4, '10');
    await this.#openssl(
      ['x509', '-req', '-in', `${id}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-set_serial', `0x${serial}`],
      ['-days', String(options.days ?? 20), '-extfile', `${id}.ext`, '-out', `${id}.crt`],
    );
    // The list that `openssl ocsp` answers from: valid, until, revoked, serial, file, subject.
    const line = `V\t491231235959Z\t\t${serial}\tunknown\t/CN=${names[0]}\n`;
    await writeFile(
      join(this.dir, 'index.txt'),
      (await readFile(join(this.dir, 'index.txt'), 'utf8')) + line,
    );
    return {
      certificate: (await readFile(join(this.dir, `${id}.crt`), 'utf8')) + this.certificate,
      key: await readFile(join(this.dir, `${id}.key`), 'utf8'),
      serial,
    };
  }

  async close(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }

  #openssl(...args: string[][]): Promise<unknown> {
    return run('openssl', args.flat(), { cwd: this.dir });
  }
}
