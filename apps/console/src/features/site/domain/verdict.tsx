import type { DnsVerdict, DomainCheck } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import { useText } from '../../../i18n/text.ts';
import { Facts } from '../../../kit/facts.tsx';
import { StatusChip, type Tone } from '../../../kit/status-chip.tsx';
import { Time } from '../../../kit/time.tsx';
import { siteDomainText } from './domain.text.ts';

/**
 * Green where visitors come to the nodes. Red where the DNS has an error in it, yellow where it says something else, or nothing yet.
 */
const tones: Record<DnsVerdict, Tone> = {
  cname: 'success',
  address: 'success',
  txt: 'info',
  partly: 'warning',
  elsewhere: 'warning',
  no_records: 'warning',
  nxdomain: 'error',
  refused: 'error',
  server_failed: 'error',
  timeout: 'warning',
};

/** What the check of one site and the list of all domains have in common. */
type Check = Pick<DomainCheck, 'verdict' | 'seen' | 'checked_at' | 'next_check_at' | 'proof' | 'contested'>;

/** Where the DNS leads visitors of a domain; what to do about it on hover. */
export function VerdictChip({ check }: { check: Pick<Check, 'verdict' | 'proof'> }) {
  const t = useText(siteDomainText);
  const advice = useAdvice(check);
  const { verdict } = check;
  if (verdict === null) return <StatusChip tone="neutral" label={t.never} />;
  return <StatusChip tone={tones[verdict]} label={t.verdicts[verdict]} hint={advice} />;
}

const proofTones = { given: 'success', waiting: 'info', failed: 'warning' } as const;

/** Whether the domain is the customer's, and what keeps it waiting. */
export function ProofChip({ check: { proof, contested } }: { check: Pick<Check, 'proof' | 'contested'> }) {
  const t = useText(siteDomainText);
  if (!contested) return <StatusChip tone={proofTones[proof]} label={t.proofs[proof]} />;
  return <StatusChip tone="warning" label={`${t.proofs[proof]} · ${t.overlaps}`} hint={t.contestedNotice} />;
}

/** What to do at the DNS; nothing while it was not asked. */
function useAdvice(check: Pick<Check, 'verdict' | 'proof'>): string | undefined {
  const t = useText(siteDomainText);
  if (check.verdict === null) return undefined;
  // By its addresses alone a domain can point here and not be proven: that is what is missing then.
  return check.proof !== 'given' && pointsHere(check) ? t.unverified : t.advice[check.verdict];
}

/** Whether visitors of the domain come to the nodes. */
export const pointsHere = ({ verdict }: Pick<Check, 'verdict'>): boolean =>
  verdict === 'cname' || verdict === 'address';

/** What was seen of a domain, beside what is to be seen. */
export function DomainSeen({ check, cname }: { check: Check; cname: string | null }) {
  const t = useText(siteDomainText);
  const advice = useAdvice(check);
  const { verdict, seen, checked_at, next_check_at } = check;
  const lines = (values: readonly string[]) =>
    values.length === 0 ? t.nothing : values.map((value) => <div key={value}>{value}</div>);
  // The customer has done their part, and the name that the platform gave them has no address in the platform's own DNS zone.
  const unpublished =
    verdict === 'cname' &&
    check.proof === 'given' &&
    cname !== null &&
    seen !== null &&
    seen.a.length + seen.aaaa.length === 0;
  return (
    <Stack sx={{ gap: 2, py: 1 }}>
      {verdict === null && <Typography variant="body2">{t.notAsked}</Typography>}
      {advice !== undefined && (
        <Typography variant="body2">{unpublished ? t.unpublished(cname) : advice}</Typography>
      )}
      {seen && (
        <Box component="section" aria-label={t.seen}>
          <Facts
            facts={[
              { label: t.asked, value: seen.name },
              { label: t.chain, value: lines(seen.cname_chain) },
              { label: 'A', value: lines(seen.a) },
              { label: 'AAAA', value: lines(seen.aaaa) },
              { label: 'TXT', value: lines(seen.txt) },
              { label: t.checkedAt, value: <Time at={checked_at} /> },
              { label: t.nextCheck, value: <Time at={next_check_at} /> },
            ]}
          />
        </Box>
      )}
    </Stack>
  );
}
