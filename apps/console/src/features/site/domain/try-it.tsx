import type { DnsExpected } from '@breakwater/contract';
import { Typography } from '@mui/material';
import { useApi } from '../../../api/query.ts';
import { useText } from '../../../i18n/text.ts';
import { CodeBlock } from '../../../kit/code-block.tsx';
import { useSite } from '../context.tsx';
import { siteDomainText } from './domain.text.ts';

/** A request that reaches the site before its DNS does. */
export function TryIt({ expected }: { expected: DnsExpected }) {
  const t = useText(siteDomainText);
  const { site } = useSite();
  const ports = useApi('getSitePortRange', { params: { id: site.id } }).data;
  // A request needs a host of its own: of a wildcard, one below it.
  const domain = site.domains.find((name) => !name.startsWith('*.')) ?? site.domains[0]?.replace('*', 'www');
  const [address = expected.cname] = expected.addresses;
  const port = ports?.node_http_ports[0];
  if (!ports) return null;
  if (address === null || port === undefined)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {t.tryLater}
      </Typography>
    );
  const host = address.includes(':') ? `[${address}]` : address;
  // `--connect-to` with nothing before the address is for every host and port; curl then still sends the domain as `Host`.
  return <CodeBlock label={t.tryLabel} text={`curl -i --connect-to ::${host}:${port} http://${domain}/`} />;
}
