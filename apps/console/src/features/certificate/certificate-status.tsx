import type { Certificate, CertificateStatus } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useNow } from '../../kit/use-now.ts';
import { certificateText } from './certificate.text.ts';

const tones: Record<CertificateStatus, Tone> = {
  valid: 'success',
  expires_soon: 'warning',
  expired: 'error',
};
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Until when it is valid, and how long that is. */
export function CertificateEnd({ certificate }: { certificate: Certificate }) {
  return (
    <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
      <Time at={certificate.not_after} />
      <CertificateState certificate={certificate} />
    </Box>
  );
}

/** How long it is still valid, as the server judges it; the status on hover. */
export function CertificateState({ certificate }: { certificate: Certificate }) {
  const t = useText(certificateText);
  // Days are counted; a page that stays open for long goes on counting.
  const [now] = useNow(hourMs);
  const { status, not_after: end } = certificate;
  const days = Math.max(0, Math.floor((new Date(end).getTime() - now) / dayMs));
  return (
    <StatusChip
      tone={tones[status]}
      label={status === 'expired' ? t.statuses.expired : t.expiresIn(days)}
      hint={t.statuses[status]}
    />
  );
}
