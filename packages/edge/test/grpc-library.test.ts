import {
  ChannelCredentials,
  Client,
  Metadata,
  Server,
  ServerCredentials,
  status,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSelfSigned } from '../process/default-certificate.ts';
import { makeEnvelope, makeSite, TestEdge, type SiteInput } from './support.ts';

/** A real library of gRPC at both ends: `@grpc/grpc-js`. Messages are plain text, so that no schema is needed. */

const bytes = (text: string) => Buffer.from(text);
const text = (data: Buffer) => data.toString();
const method = (name: string, requestStream: boolean, responseStream: boolean) => ({
  path: `/test.Words/${name}`,
  requestStream,
  responseStream,
  requestSerialize: bytes,
  requestDeserialize: text,
  responseSerialize: bytes,
  responseDeserialize: text,
});
const service: ServiceDefinition = {
  Upper: method('Upper', false, false),
  Count: method('Count', false, true),
  Chat: method('Chat', true, true),
};

let edge: TestEdge;
let origin: Server;
let port: number;
let certificate: ReturnType<typeof makeSelfSigned>;
let nextId = 500;
const clients: Client[] = [];
/** The connections that calls came by. */
const peers = new Set<string>();

beforeAll(async () => {
  edge = await TestEdge.start();
  certificate = makeSelfSigned('*.words.test');
  const pair = { certificate: certificate.certificate, private_key: certificate.key };
  const document = { certificate_id: 9, domains: ['*.words.test'], ...pair };
  await edge.control('POST', '/documents', [makeEnvelope('certificate', '9', edge.nextRevision(), document)]);
  origin = new Server();
  origin.addService(service, {
    Upper(call: ServerUnaryCall<string, string>, answer: sendUnaryData<string>) {
      peers.add(call.getPeer());
      if (call.request === 'refuse')
        return answer({ code: status.FAILED_PRECONDITION, details: 'not these words' });
      if (call.request === 'stay') return;
      const trailers = new Metadata();
      trailers.set('x-agent', String(call.metadata.get('x-real-ip')[0]));
      answer(null, call.request.toUpperCase(), trailers);
    },
    Count(call: ServerWritableStream<string, string>) {
      for (let number = 1; number <= Number(call.request); number++) call.write(`${number}`);
      call.end();
    },
    Chat(call: ServerDuplexStream<string, string>) {
      call.on('data', (word: string) => void call.write(`you said ${word}`));
      call.on('end', () => call.end());
    },
  });
  port = await new Promise<number>((settle, refuse) =>
    origin.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? refuse(error) : settle(bound),
    ),
  );
});
afterAll(async () => {
  for (const client of clients) client.close();
  origin.forceShutdown();
  await edge.close();
});

async function clientOf(config: SiteInput['config'] = {}, own: { max_conns?: number } = {}): Promise<Client> {
  const id = nextId++;
  const host = `site${id}.words.test`;
  const [result] = await edge.applySites(
    makeSite({
      id,
      domains: [host],
      origins: [{ address: '127.0.0.1', http_port: port, max_fails: 0, ...own }],
      config: { grpc: true, ...config },
      certificateIds: [9],
    }),
  );
  expect(result!.error).toBeUndefined();
  const client = new Client(
    `127.0.0.1:${edge.httpsPort}`,
    ChannelCredentials.createSsl(bytes(certificate.certificate)),
    { 'grpc.ssl_target_name_override': host, 'grpc.default_authority': host },
  );
  clients.push(client);
  return client;
}

interface Said {
  code: number;
  answer?: string;
  details: string;
  agent?: unknown;
}

function upper(client: Client, word: string, seconds = 10): Promise<Said> {
  return new Promise((settle) => {
    const deadline = Date.now() + seconds * 1000;
    let answer: string | undefined;
    client
      .makeUnaryRequest('/test.Words/Upper', bytes, text, word, new Metadata(), { deadline }, (_, given) => {
        answer = given;
      })
      .on('status', ({ code, details, metadata }) =>
        settle({
          code,
          details,
          agent: metadata.get('x-agent')[0],
          ...(answer === undefined ? {} : { answer }),
        }),
      );
  });
}

describe('a library of gRPC', () => {
  it('asks and is answered, with metadata and trailers', async () => {
    expect(await upper(await clientOf(), 'words')).toMatchObject({
      code: status.OK,
      answer: 'WORDS',
      agent: '127.0.0.1',
    });
  });

  it('is told a status of the origin’s with its words', async () => {
    expect(await upper(await clientOf(), 'refuse')).toMatchObject({
      code: status.FAILED_PRECONDITION,
      details: 'not these words',
    });
  });

  it('reads a stream to its end', async () => {
    const client = await clientOf();
    const call = client.makeServerStreamRequest('/test.Words/Count', bytes, text, '2000');
    const numbers: string[] = [];
    call.on('data', (number: string) => numbers.push(number));
    await new Promise((settle, refuse) => call.on('end', settle).on('error', refuse));
    expect(numbers).toEqual(Array.from({ length: 2000 }, (_, index) => `${index + 1}`));
  });

  it('talks both ways, each word answered before the next', async () => {
    const client = await clientOf();
    const call = client.makeBidiStreamRequest('/test.Words/Chat', bytes, text);
    const next = () => new Promise<string>((settle) => call.once('data', settle));
    for (const word of ['one', 'two', 'three']) {
      const answered = next();
      call.write(word);
      expect(await answered).toBe(`you said ${word}`);
    }
    const ended = new Promise((settle) => call.on('status', settle));
    call.end();
    call.resume();
    expect(await ended).toMatchObject({ code: status.OK });
  });

  it('is cut off at its own deadline', async () => {
    expect((await upper(await clientOf(), 'stay', 1)).code).toBe(status.DEADLINE_EXCEEDED);
  });
});

describe('connections to the origin', () => {
  it('are kept for the next call, unless the site says not to', async () => {
    const kept = await clientOf({ keepalive_seconds: 15 });
    peers.clear();
    for (const word of ['a', 'b', 'c', 'd'])
      expect((await upper(kept, word)).answer).toBe(word.toUpperCase());
    expect(peers.size).toBe(1);
    const fresh = await clientOf({ keepalive_seconds: 0 });
    peers.clear();
    for (const word of ['a', 'b', 'c', 'd'])
      expect((await upper(fresh, word)).answer).toBe(word.toUpperCase());
    expect(peers.size).toBe(4);
  });

  it('are no more than the origin may have', async () => {
    const client = await clientOf({}, { max_conns: 1 });
    const chat = client.makeBidiStreamRequest('/test.Words/Chat', bytes, text);
    const answered = new Promise((settle) => chat.once('data', settle));
    chat.write('here');
    await answered;
    expect((await upper(client, 'words')).code).toBe(status.UNAVAILABLE);
    const ended = new Promise((settle) => chat.on('status', settle));
    chat.end();
    chat.resume();
    await ended;
    await expect.poll(async () => (await upper(client, 'words')).answer, { timeout: 5000 }).toBe('WORDS');
  });

  it('are not made to addresses that are not asked', async () => {
    const guarded = await TestEdge.start({ privateOrigins: false });
    try {
      const host = 'guarded.words.test';
      const pair = { certificate: certificate.certificate, private_key: certificate.key };
      const document = { certificate_id: 9, domains: ['*.words.test'], ...pair };
      const revision = guarded.nextRevision();
      await guarded.control('POST', '/documents', [makeEnvelope('certificate', '9', revision, document)]);
      await guarded.applySites(
        makeSite({
          id: 1,
          domains: [host],
          origins: [{ address: '127.0.0.1', http_port: port }],
          config: { grpc: true },
          certificateIds: [9],
        }),
      );
      const client = new Client(
        `127.0.0.1:${guarded.httpsPort}`,
        ChannelCredentials.createSsl(bytes(certificate.certificate)),
        { 'grpc.ssl_target_name_override': host, 'grpc.default_authority': host },
      );
      clients.push(client);
      peers.clear();
      expect((await upper(client, 'words')).code).toBe(status.UNAVAILABLE);
      expect(peers.size).toBe(0);
    } finally {
      await guarded.close();
    }
  });
});
