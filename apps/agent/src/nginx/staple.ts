import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { lookup } from 'node:dns/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { mergeSection } from '@breakwater/policy/site/levels';
import { isPrivateAddress } from '@breakwater/policy/address/private-address';
import type { Logger } from 'pino';
import * as z from 'zod';
import { pause } from '../backoff.ts';
import { replaceFile } from '../durable-file.ts';
import type { EdgeControl } from './edge-control.ts';
import { Wake } from '../delivery/wake.ts';

export interface StaplerOptions {
  control: EdgeControl;
  /** One file for each certificate: its last good answer. */
  folder: string;
  logger: Logger;
  /** Responders at private addresses are asked too. */
  privateAddresses?: boolean;
}

const heldAnswer = z.object({ hash: z.string(), answer: z.string(), until: z.number(), askAt: z.number() });
type HeldAnswer = z.infer<typeof heldAnswer>;
const settings = z.object({
  certificate_ids: z.array(z.int()).default([]),
  ocsp_stapling: z.boolean().optional(),
});
const siteBody = z.object({
  client_id: z.int(),
  product_id: z.int().optional(),
  certificate_settings: settings,
});
const levelBody = z.object({ certificate_settings: settings.optional() });

const answerMilliseconds = 10_000;
const answerBytesMax = 64 * 1024;
/** How soon a responder that failed is asked again. */
const retrySeconds = 300;
const checkSeconds = 60;

/**
 * Gets from the authorities what they say of the certificates of sites that ask for stapling, before the last answer is
 * over, and hands it to nginx. An answer that does not come or is not good leaves the last good one in use to its end.
 */
export class Stapler {
  readonly #options: StaplerOptions;
  /** Those that have certificates. */
  readonly #sites = new Map<string, z.infer<typeof siteBody>>();
  readonly #levels = new Map<string, z.infer<typeof levelBody>>();
  readonly #held = new Map<string, HeldAnswer>();
  /** When to ask again about what has no answer. */
  readonly #failing = new Map<string, number>();
  readonly #wake = new Wake();

  constructor(options: StaplerOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true });
    for (const file of await readdir(folder)) {
      const text = await readFile(join(folder, file), 'utf8').catch(() => '');
      const held = heldAnswer.safeParse(parseJson(text)).data;
      if (held !== undefined && held.until > Date.now()) this.#held.set(file.replace('.json', ''), held);
      else await rm(join(folder, file), { force: true });
    }
  }

  /** Learns from sites and their levels which certificates are meant, and of certificates that there is a new one. */
  track(document: string, body: string | undefined): void {
    const [kind = '', key = ''] = document.split('/');
    if (kind === 'certificate') {
      this.#failing.delete(key);
    } else if (kind === 'level') {
      const level = body?.includes('"ocsp_stapling"') ? levelBody.safeParse(parseJson(body)).data : undefined;
      if (level === undefined) this.#levels.delete(key);
      else this.#levels.set(key, level);
    } else {
      const site = body?.includes('"certificate_ids":[]')
        ? undefined
        : siteBody.safeParse(parseJson(body)).data;
      if (site === undefined) this.#sites.delete(document);
      else this.#sites.set(document, site);
    }
    this.#wake.call();
  }

  /** The certificates of sites that ask for stapling, themselves or by what they inherit. */
  #wanted(): Set<string> {
    const wanted = new Set<string>();
    for (const {
      client_id: client,
      product_id: product,
      certificate_settings: own,
    } of this.#sites.values()) {
      const keys = [`client-${client}`, `product-${product ?? 0}`, 'global'];
      const layers = [{ certificate_settings: own }, ...keys.flatMap((key) => this.#levels.get(key) ?? [])];
      if (mergeSection('certificate_settings', layers, {})?.['ocsp_stapling'] === true)
        for (const id of own.certificate_ids) wanted.add(String(id));
    }
    return wanted;
  }

  /** A nginx that has just started is told again. */
  async tellAgain(): Promise<void> {
    for (const [key, { hash, answer }] of this.#held)
      await this.#options.control.putOcspAnswer(key, hash, answer);
    this.#wake.call();
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      for (const key of this.#wanted()) {
        if (signal.aborted) return;
        try {
          await this.#renew(key);
        } catch (error) {
          this.#fail(key, error instanceof Error ? error.message : String(error));
        }
      }
      await this.#wake.wait(signal, checkSeconds * 1000);
      // Documents come in batches.
      await pause(100, signal);
    }
  }

  async #renew(key: string): Promise<void> {
    if ((this.#failing.get(key) ?? 0) > Date.now()) return;
    const { control, folder, logger } = this.#options;
    const question = await control.ocspQuestion(key);
    const held = this.#held.get(key);
    if (held !== undefined && held.hash === question.hash && held.askAt > Date.now()) return;
    if (question.error !== undefined) return this.#fail(key, question.error);
    const { hash, responder, request: asked } = question;
    if (hash === undefined || responder === undefined || asked === undefined) return;
    const answer = (await this.#ask(responder, Buffer.from(asked, 'base64'))).toString('base64');
    const verdict = await control.putOcspAnswer(key, hash, answer);
    if (verdict.seconds === undefined) return this.#fail(key, verdict.error ?? '');
    const now = Date.now();
    // Half of its time leaves as much again for a responder that is down.
    const next = { hash, answer, until: now + verdict.seconds * 1000, askAt: now + verdict.seconds * 500 };
    this.#held.set(key, next);
    this.#failing.delete(key);
    await replaceFile(join(folder, `${key}.json`), JSON.stringify(next));
    logger.info({ certificate: key, responder, seconds: verdict.seconds }, 'an OCSP answer is stapled');
  }

  #fail(key: string, reason: string): void {
    this.#failing.set(key, Date.now() + retrySeconds * 1000);
    this.#options.logger.warn({ certificate: key, reason }, 'no good OCSP answer; the last one stays');
  }

  /** RFC 6960, appendix A.1. A certificate is its owner's: what address it names is not taken on trust. */
  async #ask(responder: string, question: Buffer): Promise<Buffer> {
    const url = new URL(responder);
    if (url.protocol !== 'http:') throw new Error(`${responder} is no http address`);
    const { address } = await lookup(url.hostname.replaceAll(/[[\]]/g, ''));
    if (this.#options.privateAddresses !== true && isPrivateAddress(address))
      throw new Error(`${responder} leads to the private address ${address}`);
    return new Promise((settle, refuse) => {
      const headers = {
        host: url.host,
        'content-type': 'application/ocsp-request',
        'content-length': question.length,
      };
      const call = request(
        {
          host: address,
          port: url.port || 80,
          path: url.pathname + url.search,
          method: 'POST',
          headers,
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if ((bytes += chunk.length) > answerBytesMax)
              call.destroy(new Error(`${responder} says too much`));
          });
          response.on('error', refuse);
          response.on('end', () =>
            response.statusCode === 200
              ? settle(Buffer.concat(chunks))
              : refuse(new Error(`${responder} answers with status ${response.statusCode}`)),
          );
        },
      );
      const timer = setTimeout(
        () => call.destroy(new Error(`${responder} does not answer`)),
        answerMilliseconds,
      );
      call.on('close', () => clearTimeout(timer));
      call.on('error', refuse);
      call.end(question);
    });
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
