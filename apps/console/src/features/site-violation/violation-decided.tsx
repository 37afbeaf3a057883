import type { SiteViolation } from '@breakwater/contract';
import { useText } from '../../i18n/text.ts';
import { Time } from '../../kit/time.tsx';
import { siteViolationText } from './site-violation.text.ts';

/** What was decided, by whom where that is told, and when. */
export function Decided({
  violation: { state, decided_by: by, decided_at: at },
}: {
  violation: SiteViolation;
}) {
  const t = useText(siteViolationText);
  return (
    <>
      {[t.states[state], by].filter(Boolean).join(' · ')}
      {at && (
        <>
          {' '}
          · <Time at={at} />
        </>
      )}
    </>
  );
}
