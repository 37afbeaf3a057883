import type { CertificateDetail as Detail } from '@breakwater/contract';
import { Alert, Stack, Typography } from '@mui/material';
import { useNavigate } from '@tanstack/react-router';
import { useApi } from '../../api/query.ts';
import { DeliveryState } from '../../domain/delivery-state.tsx';
import { useActivityTab } from '../../frame/activity.tsx';
import { CertificateRenewal } from '../../frame/certificate-timeline.tsx';
import { useText } from '../../i18n/text.ts';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts } from '../../kit/facts.tsx';
import { useIdParam } from '../../kit/id-param.ts';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { RowActions } from '../../kit/row-actions.tsx';
import { Time } from '../../kit/time.tsx';
import { useAccount } from '../../api/account.ts';
import { CertificateCaa } from './certificate-caa.tsx';
import { useCertificateActions } from './certificate-actions.tsx';
import { CertificateEnd, CertificateState } from './certificate-status.tsx';
import { certificateText } from './certificate.text.ts';

const isUnderWay = (certificate: Detail) =>
  certificate.delivery?.nodes.some(({ status }) => status === 'pending') === true;

/** The page of a certificate: what it covers, who uses it, how it is renewed, and which nodes have it. */
export function CertificateDetail() {
  const t = useText(certificateText);
  const kit = useText(kitText);
  const activityTab = useActivityTab('certificate');
  const read = useApi(
    'getCertificate',
    { params: { id: useIdParam() } },
    // Only while nodes are still to answer: a certificate changes by hand or by a renewal.
    { refetchInterval: (last) => (last && isUnderWay(last) ? 1000 : false) },
  );
  return (
    <DetailPage
      read={read}
      label={t.title}
      back={{ target: to.certificates(), label: t.title }}
      title={({ name }) => name}
      subtitle={(certificate) => <CertificateState certificate={certificate} />}
      actions={(certificate) => <Actions certificate={certificate} />}
      tabs={(certificate) => [
        { id: 'overview', label: kit.overview, content: () => <Overview certificate={certificate} /> },
        {
          id: 'timeline',
          label: t.timeline,
          content: () => <CertificateRenewal certificateId={certificate.id} />,
        },
        { id: 'delivery', label: t.delivery, content: () => <Delivery certificate={certificate} /> },
        ...activityTab(certificate.id),
      ]}
    />
  );
}

interface Part {
  certificate: Detail;
}

function Actions({ certificate }: Part) {
  const navigate = useNavigate();
  const { actionsFor, dialogs } = useCertificateActions({ leave: () => navigate(to.certificates()) });
  return (
    <>
      <RowActions name={certificate.name} actions={() => actionsFor(certificate)} />
      {dialogs}
    </>
  );
}

/** What the certificate says, whatever of it could trouble visitors first. */
function Overview({ certificate }: Part) {
  const t = useText(certificateText);
  const { role } = useAccount();
  // The chain begins with the certificate itself.
  const [leaf] = certificate.chain;
  return (
    <Stack sx={{ gap: 3 }}>
      {certificate.warnings.length > 0 && (
        <Alert severity="warning">
          {certificate.warnings.map((warning) => (
            <div key={warning}>{warning}</div>
          ))}
        </Alert>
      )}
      <Section title={t.overview}>
        <Facts
          facts={[
            { label: t.domains, value: certificate.domains.join(', '), wide: true },
            { label: t.issuer, value: certificate.issuer },
            { label: t.key, value: leaf && t.keyBits(t.keys[leaf.key_type], leaf.key_bits) },
            { label: t.signature, value: leaf?.signature },
            { label: t.from, value: <Time at={certificate.not_before} /> },
            { label: t.expires, value: <CertificateEnd certificate={certificate} /> },
            ...(role === 'admin'
              ? [
                  {
                    label: t.client,
                    value:
                      certificate.client_id === null ? (
                        t.platform
                      ) : (
                        <TextLink target={to.clientDetail({ id: certificate.client_id })}>
                          {certificate.client_name}
                        </TextLink>
                      ),
                  },
                ]
              : []),
            { label: t.created, value: <Time at={certificate.created_at} /> },
            { label: t.updated, value: <Time at={certificate.updated_at} /> },
            { label: t.serial, value: leaf?.serial },
            { label: t.fingerprint, value: certificate.fingerprint, wide: true },
          ]}
        />
      </Section>
      <Users certificate={certificate} />
      <Chain certificate={certificate} />
      <CertificateCaa id={certificate.id} />
    </Stack>
  );
}

/** Which of their domains it covers, and which have no certificate at all. */
function Users({ certificate: { sites, site_count: count } }: Part) {
  const t = useText(certificateText);
  return (
    <Section title={t.usedBy} hint={sites.length < count ? t.moreSites(count) : undefined}>
      {sites.length === 0 && <Typography variant="body2">{t.unused}</Typography>}
      <Stack sx={{ gap: 2.5 }}>
        {sites.map(({ id, domain, covered, uncovered }) => (
          <Stack key={id} sx={{ gap: 1 }}>
            <TextLink target={to.siteDetail({ id })}>{domain}</TextLink>
            <Facts
              columns={2}
              facts={[
                { label: t.covered, value: covered.join(', ') },
                ...(uncovered.length > 0 ? [{ label: t.uncovered, value: uncovered.join(', ') }] : []),
              ]}
            />
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

/** The certificate and the intermediate ones that are sent with it, in the order in which visitors get them. */
function Chain({ certificate: { chain } }: Part) {
  const t = useText(certificateText);
  return (
    <Section title={t.chain} hint={t.chainHint}>
      <Stack component="ol" sx={{ gap: 2.5, m: 0, pl: 3 }}>
        {chain.map((one) => (
          <li key={one.fingerprint}>
            <Facts
              facts={[
                { label: t.subject, value: one.subject },
                { label: t.issuer, value: one.issuer },
                { label: t.expires, value: <Time at={one.not_after} /> },
                { label: t.key, value: t.keyBits(t.keys[one.key_type], one.key_bits) },
                { label: t.signature, value: one.signature },
                { label: t.serial, value: one.serial },
              ]}
            />
          </li>
        ))}
      </Stack>
    </Section>
  );
}

/** Which nodes have this revision. Null while no node has to have the certificate. */
function Delivery({ certificate: { delivery } }: Part) {
  const t = useText(certificateText);
  return (
    <Section title={t.delivery}>
      {delivery === null ? (
        <Typography variant="body2">{t.notDelivered}</Typography>
      ) : (
        <DeliveryState
          desiredRevision={delivery.desired_revision}
          nodes={delivery.nodes.map((node) => ({
            ...node,
            id: node.node_id,
            name: node.node_name,
            at: node.acked_at,
          }))}
        />
      )}
    </Section>
  );
}
