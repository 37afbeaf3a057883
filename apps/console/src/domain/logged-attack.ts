import { systemRuleDetectors, type AccessLogRow, type SystemRuleDetector } from '@breakwater/contract';

/** What an exception from attack detection is made of, as a log line has it. */
export interface LoggedAttack {
  detector: SystemRuleDetector;
  path?: string;
  parameter?: string;
}

const isDetector = (word: string): word is SystemRuleDetector =>
  (systemRuleDetectors as readonly string[]).includes(word);

/** What a rule is filled in with that lets requests like one of the log through; of the site's own rules alone: those above are asked first. */
export function allowOf({
  decision,
  waf,
  method,
  request_uri: uri,
}: Pick<AccessLogRow, 'decision' | 'waf' | 'method' | 'request_uri'>):
  | { allow_path: string; allow_method: string }
  | undefined {
  const isOwn = /^matcher_rule \d+$/.test(decision) || /(?:^|; )matcher_rule \d+=observe/.test(waf);
  const [path = ''] = uri.split('?');
  return isOwn && path.startsWith('/') && path.length <= 500
    ? { allow_path: path, allow_method: method }
    : undefined;
}

/** The network that an address is banned with where its neighbours are as bad: /24, of IPv6 the /64 of one subscriber. */
export function networkOf(address: string): string | undefined {
  const [, begin] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address) ?? [];
  if (begin !== undefined) return `${begin}.0/24`;
  return /^[0-9a-f]*:[0-9a-f:]+$/i.test(address) ? `${address}/64` : undefined;
}

/** The surest of what attack detection found in a request; nothing where it found none. */
export function attackOf({
  waf,
  waf_part: parts,
  request_uri: uri,
}: Pick<AccessLogRow, 'waf' | 'waf_part' | 'request_uri'>): LoggedAttack | undefined {
  const detector = /(?:^|; )used_system_rule (\w+)=/.exec(waf)?.[1];
  if (detector === undefined || !isDetector(detector)) return undefined;
  // Answers are judged by the path that the origin was asked for, which is told where it is another one.
  const asked = detector === 'leak' ? /^.*; asked: (\/.*)$/.exec(parts)?.[1] : undefined;
  const path = asked ?? uri.split('?')[0] ?? '';
  // Of a known vulnerability the path stands under the name of the rule, and of a leak its kind.
  const named =
    detector === 'known_vulnerability' || detector === 'leak'
      ? /(?:^|; )(?:path|response)\.([^:;]+): /.exec(parts)?.[1]
      : undefined;
  const parameter =
    named ??
    /(?:^|; )(?:query|form|json|xml|file_name|file|cookie|referer|header)\.([^:;]+): /.exec(parts)?.[1];
  return {
    detector,
    // What an exception cannot name as it is written.
    ...(/^\/[^\s?#*]{0,499}$/.test(path) ? { path } : {}),
    ...(parameter === undefined ? {} : { parameter }),
  };
}
