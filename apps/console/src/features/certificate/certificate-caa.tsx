import type { DomainCaa } from '@breakwater/contract';
import { Alert, Stack, Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { Facts } from '../../kit/facts.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { certificateText } from './certificate.text.ts';
import { readableDomains } from '../../kit/domain-name.ts';

/**
 * Who may issue certificates for its domains by their CAA records (RFC 8659), and how to say so where nothing does.
 * The DNS is asked when the page is opened.
 */
export function CertificateCaa({ id }: { id: number }) {
  const t = useText(certificateText);
  const read = useApi('getCertificateCaa', { params: { id } });
  return (
    <Section title="CAA" hint={t.caaHint}>
      <Loaded read={read}>
        {({ domains }) => (
          <Stack sx={{ gap: 2 }}>
            <Facts
              facts={domains.map((one) => ({
                label: readableDomains(one.domain),
                value: <Records of={one} />,
                wide: true,
              }))}
            />
            {domains.some(isOpen) && (
              <Alert severity="info">{t.caaAdvice(domains.find(isOpen)!.domain)}</Alert>
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

/** Every authority may issue for it. */
const isOpen = ({ records, failed }: DomainCaa): boolean => records.length === 0 && !failed;

function Records({ of: { domain, found_at: at, records, failed } }: { of: DomainCaa }) {
  const t = useText(certificateText);
  if (failed) return t.caaFailed;
  if (records.length === 0) return t.caaNone;
  return (
    <>
      {records.map((record) => (
        <Typography key={record} component="div" variant="body2" sx={{ fontFamily: 'monospace' }}>
          {record}
        </Typography>
      ))}
      {/* A name without such records has those of the nearest name above it. */}
      {at !== domain && t.caaFrom(at)}
    </>
  );
}
