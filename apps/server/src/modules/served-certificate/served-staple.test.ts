import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Authority } from '@breakwater/test-world/authority';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { judgeStaple } from './served-staple.ts';

/** Answers that OpenSSL writes. */

const run = promisify(execFile);
let authority: Authority;
beforeAll(async () => {
  authority = await Authority.make('Test authority');
});
afterAll(() => authority.close());
afterEach(() => vi.useRealTimers());

const stapleProblem = (stapled: Buffer | undefined, serial: string) => judgeStaple(stapled, serial).problem;

async function answerAbout(number: number, ...options: string[]): Promise<Buffer> {
  const given = ['-index', 'index.txt', '-CA', 'ca.crt', '-rsigner', 'ca.crt', '-rkey', 'ca.key'];
  const question = ['-issuer', 'ca.crt', '-cert', `${number}.crt`, '-reqout', 'question'];
  await run('openssl', ['ocsp', ...question], { cwd: authority.dir });
  const out = ['-reqin', 'question', '-respout', 'answer', ...options];
  await run('openssl', ['ocsp', ...given, ...out], { cwd: authority.dir });
  return readFile(join(authority.dir, 'answer'));
}

it('are good in their time, and about their certificate alone', async () => {
  const { serial } = await authority.issue(['one.example.com']);
  const answer = await answerAbout(1, '-nmin', '60');
  expect(stapleProblem(answer, serial)).toBeUndefined();
  const { from, until } = judgeStaple(answer, serial);
  expect(Date.now() - from!.getTime()).toBeLessThan(60_000);
  expect(until!.getTime() - from!.getTime()).toBe(3_600_000);
  expect(stapleProblem(answer, `00${serial.toLowerCase()}`)).toBeUndefined();
  expect(stapleProblem(answer, '4711')).toBe('other');
  vi.useFakeTimers({ now: Date.now() + 3_700_000, toFake: ['Date'] });
  expect(stapleProblem(answer, serial)).toBe('expired');
  vi.setSystemTime(Date.now() - 86_400_000);
  expect(stapleProblem(answer, serial)).toBe('early');
  vi.useRealTimers();
  // One that names no end.
  const endless = judgeStaple(await answerAbout(1), serial);
  expect(endless.problem).toBeUndefined();
  expect(endless.until).toBeNull();
});

it('say what the authority says, and where none can be read', async () => {
  const { serial } = await authority.issue(['two.example.com']);
  const list = join(authority.dir, 'index.txt');
  const before = await readFile(list, 'utf8');
  await writeFile(list, '');
  expect(stapleProblem(await answerAbout(2, '-nmin', '60'), serial)).toBe('unknown');
  await writeFile(list, before.replaceAll('V\t491231235959Z\t', 'R\t491231235959Z\t260101000000Z'));
  const answer = await answerAbout(2, '-nmin', '60');
  expect(stapleProblem(answer, serial)).toBe('revoked');
  expect(judgeStaple(undefined, serial)).toEqual({ problem: 'missing', from: null, until: null });
  expect(stapleProblem(Buffer.alloc(0), serial)).toBe('missing');
  // `tryLater`, and whatever else may come.
  expect(stapleProblem(Buffer.from('30030a0103', 'hex'), serial)).toBe('unreadable');
  for (let length = 1; length < answer.length; length += 7)
    expect(stapleProblem(answer.subarray(0, length), serial)).toBe('unreadable');
  expect(stapleProblem(Buffer.alloc(64 * 1024, 0x30), serial)).toBe('unreadable');
});
