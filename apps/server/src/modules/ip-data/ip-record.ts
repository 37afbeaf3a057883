import { ipRecordText } from './ip-record.text.ts';
import { ip2regionText } from './ip2region.text.ts';

/** What the record of a MaxMind DB says, whatever the product: the shapes of MaxMind, DB-IP, IPinfo, IPtoASN and GeoCN. */
export interface IpRecord {
  /** ISO 3166-1; `-` where nobody knows, as of all texts here. */
  country: string;
  province: string;
  carrier: string;
  /** 0: not known. */
  asn: number;
}

type Json = Record<string, unknown>;

export function readIpRecord(value: Json): IpRecord {
  const country = countryOf(value);
  // Provinces and carriers are those of China; files of China alone name no country.
  const isChina = country === 'CN' || country === '-';
  return {
    country,
    province: isChina ? provinceOf(value) : '-',
    carrier: isChina ? carrierOf(value) : '-',
    asn: asnOf(value),
  };
}

const inside = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const texts = (...values: unknown[]): string[] =>
  values.filter((value): value is string => typeof value === 'string' && value !== '');

function countryOf(value: Json): string {
  const nested = inside(value['country']);
  const codes = texts(value['country_code'], nested['iso_code'], value['country']);
  return codes.find((code) => /^[A-Z]{2}$/.test(code)) ?? '-';
}

const chineseProvinces = Object.entries(ip2regionText.zh.provinces).map(
  ([name, code]) => [name.length > 2 ? name.replace(/.$/u, '') : name, name, code] as const,
);

function provinceOf(value: Json): string {
  const subdivision = inside((value['subdivisions'] as unknown[] | undefined)?.[0]);
  const names = inside(subdivision['names']);
  const code = texts(subdivision['iso_code']).find((each) => knownCodes.has(each));
  if (code !== undefined) return code;
  const said = texts(
    value['province'],
    value['region'],
    value['region_name'],
    value['state1'],
    names['zh-CN'],
    names['en'],
  );
  for (const name of said) {
    const found = provinceNamed(name);
    if (found !== undefined) return found;
  }
  return '-';
}

const knownCodes: ReadonlySet<string> = new Set(Object.values(ip2regionText.zh.provinces));

function provinceNamed(name: string): string | undefined {
  const chinese = chineseProvinces.find(([short, whole]) => name.startsWith(short) || name === whole);
  if (chinese) return chinese[2];
  const lower = name.toLowerCase();
  return Object.entries(ipRecordText.en.provinces).find(([begin]) => lower.startsWith(begin))?.[1];
}

function carrierOf(value: Json): string {
  const traits = inside(value['traits']);
  const said = texts(value['isp'], traits['isp'], value['net'], value['carrier']);
  for (const name of said) {
    const lower = name.toLowerCase();
    const found =
      Object.entries(ip2regionText.zh.carriers).find(([word]) => name.includes(word)) ??
      Object.entries(ipRecordText.en.carriers).find(([word]) => lower.includes(word));
    if (found) return found[1];
  }
  return '-';
}

function asnOf(value: Json): number {
  const traits = inside(value['traits']);
  const said = [
    value['autonomous_system_number'],
    traits['autonomous_system_number'],
    value['asn'],
    value['as_number'],
  ];
  for (const each of said) {
    const number = typeof each === 'string' ? Number(/^(?:AS)?(\d{1,10})$/i.exec(each)?.[1] ?? 0) : each;
    if (typeof number === 'number' && Number.isInteger(number) && number > 0 && number < 2 ** 32)
      return number;
  }
  return 0;
}
