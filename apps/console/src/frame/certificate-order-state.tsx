import type { CertificateOrder, CertificateOrderState } from '@breakwater/contract';
import { kitText } from '../kit/kit.text.ts';
import { useText } from '../i18n/text.ts';
import { StatusChip, type Tone } from '../kit/status-chip.tsx';
import { certificateTimelineText } from './certificate-timeline.text.ts';

const tones: Record<CertificateOrderState, Tone> = {
  waiting: 'neutral',
  working: 'info',
  valid: 'success',
  failed: 'error',
  revoked: 'warning',
};

/** How far a certificate is that is obtained, with what keeps it from going on. */
export function OrderState({
  order: { state, problem, problem_detail: detail },
}: {
  order: Pick<CertificateOrder, 'state' | 'problem' | 'problem_detail'>;
}) {
  const t = useText(certificateTimelineText);
  const { aside } = useText(kitText);
  const why = problem === null ? undefined : t.problems[problem] + (detail === '' ? '' : aside(detail));
  return <StatusChip tone={tones[state]} label={t.states[state]} busy={state === 'working'} hint={why} />;
}
