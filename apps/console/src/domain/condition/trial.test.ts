import { condition } from '@breakwater/contract';
import { expect, it } from 'vitest';
import { tryCondition } from './trial.ts';
import { readWritten } from './written.ts';

const request = {
  method: 'GET',
  url: 'https://www.example.com:8443/x/../admin/?a=1#part',
  headers: 'X-A: b\nCookie: lang=zh\n\nbroken',
  ip: '10.1.2.3',
  time: 1_775_039_400,
};
const verdict = (text: string) => {
  const read = readWritten(text, false);
  if (!('value' in read)) throw new Error(JSON.stringify(read));
  return tryCondition(read.value, request);
};

it('answers as a node would, for what was typed', () => {
  for (const text of [
    'path starts_with "/admin/"',
    'uri equals "/x/../admin/?a=1"',
    'host equals "www.example.com" and server_port equals 8443 and sni exists',
    'header.x-a equals "b" and cookie.lang equals "zh" and header_names has "x-a"',
    'ip in "10.0.0.0/8" and hour.+08:00 equals 18 and date equals 2026-04-01',
  ])
    expect([text, verdict(text)?.verdict]).toEqual([text, 'yes']);
  expect(
    tryCondition(condition.parse({ items: [{ field: 'path', operator: 'exists' }] }), {
      ...request,
      url: 'x',
    }),
  ).toBe(undefined);
});

it('takes what a request carries, where that is asked for', () => {
  const written = 'json["user.role"] equals "管理员"';
  expect(readWritten(`path exists and ${written}`, false)).toEqual({ at: 17, issue: 'condition_content' });
  const read = readWritten(written, true);
  if (!('value' in read)) throw new Error(JSON.stringify(read));
  const tried = (body: string) => tryCondition(read.value, { ...request, method: 'POST', body })?.verdict;
  expect(tried('{"user":{"role":"管理员"}}')).toBe('yes');
  expect(tried('')).toBe('no');
  expect(tried('{"user":')).toBe('unsure');
});

it('takes what a request is answered with, where that is asked for', () => {
  const written = 'response_status at_least "500" and response_header.x-a exists';
  expect(readWritten(written, false)).toEqual({ at: 1, issue: 'condition_answer' });
  const read = readWritten(written, true);
  if (!('value' in read)) throw new Error(JSON.stringify(read));
  const tried = (answerStatus: string, answerHeaders: string) =>
    tryCondition(read.value, { ...request, answerStatus, answerHeaders })?.verdict;
  expect(tried('502', 'Content-Type: text/html\nX-A: 1')).toBe('yes');
  expect(tried('200', 'X-A: 1')).toBe('no');
  expect(tried('502', '')).toBe('no');
});

it('says which test decided and which were not needed', () => {
  const trial = verdict(
    'method equals "POST" or path contains "管" ignore_case or ip in "10.1.2.3" or query exists',
  );
  expect(trial?.tests.map(({ outcome }) => outcome)).toEqual(['no', 'no', 'yes', 'unasked']);
  expect(trial?.tests.find(({ isDecider }) => isDecider)?.text).toBe('ip in "10.1.2.3"');
});

it('shows what is wrong with a text at its place', () => {
  expect(readWritten('path', false)).toEqual({ at: 5, problem: 'condition_text_operator' });
  expect(readWritten('path exists and (nothing exists or path in "x")', false)).toEqual({
    at: 18,
    issue: 'condition_field',
  });
  expect(readWritten('path exists and ip in "10.0.0.0/33"', false)).toEqual({ at: 17, issue: 'ip_format' });
  expect(readWritten('path regex "(a+)+"', false)).toEqual({ at: 1, issue: 'pattern_runaway:1' });
});
