import { expect, test } from 'vitest';
import { readableDomains } from './domain-name.ts';

/** As the console receives it. */
const ascii = (domain: string): string => new URL(`http://${domain}/`).hostname;

test.each([
  '例子.cn',
  '商店.中国',
  'www.淘宝tv.example.com',
  'たばこ店ー.jp',
  '서울시.kr',
  'müller.de',
  'phởbò.vn',
  'straße.de',
  'почта.рф',
  'παράδειγμα.gr',
  'مثال.example.net',
  'חנות.co.il',
  'उदाहरण.भारत',
  'ร้านค้า.ไทย',
])('%s is shown as people write it', (domain) => {
  expect(ascii(domain)).toContain('xn--');
  expect(readableDomains(ascii(domain))).toBe(domain);
});

test.each([
  ['аррӏе.com', 'Cyrillic letters, each of which looks like one of Latin'],
  ['pаypal.com', 'one Cyrillic letter among Latin ones'],
  ['ρayρal.com', 'Greek among Latin'],
  ['οτε.gr', 'Greek letters that look like Latin ones'],
  ['kapı.com', 'an i without its dot'],
  ['google一.com', 'a stroke that looks like a dash'],
  ['exampleノlogin.com', 'a letter that looks like a slash'],
  ['例п.cn', 'Han and Cyrillic'],
  ['例۱.com', 'digits of another script'],
  ['ᎪᎡᎢ.com', 'a script that hardly any name is in'],
  ['ɡoogle.com', 'a phonetic letter'],
])('%s stays ASCII: %s', (domain) => {
  expect(ascii(domain)).toContain('xn--');
  expect(readableDomains(ascii(domain))).toBe(ascii(domain));
});

test('each label is decided by itself', () => {
  expect(readableDomains(`${ascii('例子.com').replace('.com', '')}.${ascii('pаypal.com')}`)).toBe(
    `例子.${ascii('pаypal.com')}`,
  );
});

test.each(['xn--', 'xn--a', 'xn--.com', 'xn--99999999.com', 'xn--abc-.com', 'xn--xn--fsqu00a-.com', 'plain'])(
  '%s is no name in that form, and stays what it is',
  (text) => expect(readableDomains(text)).toBe(text),
);

const shop = ascii('商店.中国');
test.each([
  [`*.${shop}`, '*.商店.中国'],
  [`*cdn*.${shop}`, '*cdn*.商店.中国'],
  [`${shop}, www.${shop}`, '商店.中国, www.商店.中国'],
  [`https://${shop}:8443/a.png?b=c`, 'https://商店.中国:8443/a.png?b=c'],
  [`在 “${shop}” 上`, '在 “商店.中国” 上'],
  [`Shop (${shop})`, 'Shop (商店.中国)'],
])('names within %s are found', (text, shown) => {
  expect(readableDomains(text)).toBe(shown);
});

test.each([`https://example.com/${shop}`, `https://example.com/?to=${shop}`, `/path.${shop}`])(
  'what is no host of %s stays what it is',
  (text) => expect(readableDomains(text)).toBe(text),
);
