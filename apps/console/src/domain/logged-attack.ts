import { systemRuleDetectors, type AccessLogRow, type SystemRuleDetector } from '@breakwater/contract';

/** What an exception from attack detection is made of, as a log line has it. */
export interface LoggedAttack {
  detector: SystemRuleDetector;
  path?: string;
  parameter?: string;
}

const isDetector = (word: string): word is SystemRuleDetector =>
  (systemRuleDetectors as readonly string[]).includes(word);

/** The surest of what attack detection found in a request; nothing where it found none. */
export function attackOf({
  waf,
  waf_part: parts,
  request_uri: uri,
}: Pick<AccessLogRow, 'waf' | 'waf_part' | 'request_uri'>): LoggedAttack | undefined {
  const detector = /(?:^|; )used_system_rule (\w+)=/.exec(waf)?.[1];
  if (detector === undefined || !isDetector(detector)) return undefined;
  const [path = ''] = uri.split('?');
  const parameter = /(?:^|; )(?:query|form|json|xml|file_name|file|cookie|referer|header)\.([^:;]+): /.exec(
    parts,
  )?.[1];
  return {
    detector,
    // What an exception cannot name as it is written.
    ...(/^\/[^\s?#*]{0,499}$/.test(path) ? { path } : {}),
    ...(parameter === undefined ? {} : { parameter }),
  };
}
