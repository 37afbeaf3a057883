import type { DnsExpected, DomainCheck } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useText } from '../../../i18n/text.ts';
import { CopyText } from '../../../kit/copy-text.tsx';
import { Facts } from '../../../kit/facts.tsx';
import { siteDomainText } from './domain.text.ts';

interface DnsRecord {
  type: 'A' | 'AAAA' | 'CNAME' | 'TXT';
  name: string;
  values: readonly string[];
}

/** The records that are still to be created for a domain, as the form of a DNS host asks for them. */
export function RecordToSet({ check, expected }: { check: DomainCheck; expected: DnsExpected }) {
  const t = useText(siteDomainText);
  const { domain, zone, proof, contested, txt_name: txtName, txt_value: txtValue } = check;
  const records = addressRecords(domain, expected);
  return (
    <Box
      component="section"
      aria-label={t.record}
      sx={{ p: 2, borderRadius: 1, border: 1, borderColor: 'divider' }}
    >
      <Typography variant="subtitle2">{t.record}</Typography>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 1.5 }}>
        {t.recordHint(zone)}
      </Typography>
      {contested && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {t.contestedNotice}
        </Alert>
      )}
      {records.length === 0 ? t.noAddresses : <Records records={records} zone={zone} />}
      {/* The apex of a zone has SOA and NS records, and a name with a CNAME may have no others (RFC 1034 §3.6.2). */}
      {domain === zone && expected.cname !== null && (
        <Typography variant="body2" sx={{ mt: 1 }}>
          {t.apexHint}
        </Typography>
      )}
      {/* A CNAME proves the domain as well; addresses never do, since all sites share the nodes. */}
      {proof !== 'given' && (
        <>
          <Typography variant="body2" sx={{ mt: 2, mb: 1 }}>
            {contested ? t.contestedTxt : expected.cname === null ? t.andTxt : t.orTxt}
          </Typography>
          <Records records={[{ type: 'TXT', name: txtName, values: [txtValue] }]} zone={zone} />
        </>
      )}
    </Box>
  );
}

/** A CNAME where the platform has one, else a record for each kind of address. */
function addressRecords(name: string, { cname, addresses }: DnsExpected): DnsRecord[] {
  if (cname !== null) return [{ type: 'CNAME', name, values: [cname] }];
  const isIpv6 = (address: string) => address.includes(':');
  const records: DnsRecord[] = [
    { type: 'A', name, values: addresses.filter((address) => !isIpv6(address)) },
    { type: 'AAAA', name, values: addresses.filter(isIpv6) },
  ];
  return records.filter(({ values }) => values.length > 0);
}

/** Each part can be copied by itself: forms of DNS hosts have a field for each. */
function Records({ records, zone }: { records: readonly DnsRecord[]; zone: string }) {
  const t = useText(siteDomainText);
  return (
    <Stack sx={{ gap: 2 }}>
      {records.map(({ type, name, values }) => (
        <Facts
          key={type}
          facts={[
            { label: t.type, value: type },
            { label: t.name, value: <CopyText text={hostRecord(name, zone)} label={t.name} /> },
            {
              label: t.value,
              value: values.map((value) => <CopyText key={value} text={value} label={t.value} />),
            },
          ]}
        />
      ))}
    </Stack>
  );
}

/** A name as it is entered into its zone: without the zone, which itself is `@` (RFC 1035 §5.1). */
function hostRecord(name: string, zone: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}
