import type { RequestStep, StepFactName, TraceStep } from '@breakwater/contract';
import { detectorText } from '../../../domain/detector.text.ts';
import { verifyKindText } from '../../../domain/verify-kind.text.ts';
import { useText } from '../../../i18n/text.ts';
import { useDuration } from '../../../kit/time.tsx';
import { siteCacheText } from '../sections/cache/cache.text.ts';
import { siteOriginText } from '../sections/origin/origin.text.ts';
import { siteText } from '../site.text.ts';
import { siteExplainValueText } from './value.text.ts';

/** A rule of which the node told nothing but where it stands. */
const isPlace = (name: StepFactName, value: string) =>
  (name === 'rule' || name === 'limit') && /^\d+$/.test(value);

const labelled = (labels: Record<string, string>, value: string): string => labels[value] ?? value;

/** What a fact of a trace says to people: words for what nodes have in a word of their own, times with their unit. */
export function useFactText(): (step: RequestStep, name: StepFactName, value: string) => string {
  const t = useText(siteExplainValueText);
  const cache = useText(siteCacheText);
  const origin = useText(siteOriginText);
  const site = useText(siteText);
  const { detectors: attacks } = useText(detectorText);
  const kinds = useText(verifyKindText);
  const duration = useDuration();
  const say = (step: RequestStep, name: StepFactName, value: string) => {
    // Facts with several parts have spaces between them, as nodes write them.
    const [first = '', ...rest] = value.split(' ');
    switch (name) {
      case 'stored':
        return labelled(t.stored, value);
      case 'limit':
      case 'used':
        return [labelled(t.limits, first), ...rest].join(' ');
      case 'ttl_seconds':
      case 'age_seconds':
      case 'fresh_seconds':
      case 'stale_seconds':
      case 'wait_seconds':
        return duration(Number(value));
      case 'query':
        return labelled(cache.queries, value);
      case 'method':
        return labelled(origin.methods, value);
      case 'page':
        return labelled(site.statuses, value.startsWith('suspended') ? 'suspended' : value);
      case 'matches':
      case 'rule':
        return step === 'cache_rule' ? [labelled(cache.types, first), ...rest].join(' ') : value;
      case 'origin':
        return [first, labelled(origin.states, rest[0] ?? ''), t.weight(rest[1] ?? '')].join(' · ');
      case 'kind':
        return labelled(kinds, value);
      case 'detector':
        return labelled(attacks, value);
      case 'decoded':
        return value
          .split(' ')
          .map((each) => labelled(t.decodings, each))
          .join(' → ');
      case 'server':
        return [first, labelled(t.servers, rest[0] ?? '')].join(' · ');
      default:
        return value;
    }
  };
  return (step, name, value) => (isPlace(name, value) ? t.place(Number(value)) : say(step, name, value));
}

/** A rule is told by its own name, else by what it is for; by its place only where it has neither. */
export function namedRules(facts: TraceStep['facts']): TraceStep['facts'] {
  const names = facts.filter(({ name, value }) => (name === 'note' || name === 'matches') && value !== '');
  const [best] = [...names.filter(({ name }) => name === 'note'), ...names];
  if (best === undefined || facts.filter(({ name }) => name === 'rule').length !== 1) return facts;
  return facts
    .filter((each) => each !== best && each.name !== 'note')
    .map((each) => (each.name === 'rule' ? { ...best, name: 'rule' } : each));
}
