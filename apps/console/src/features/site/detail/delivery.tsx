import type { DocumentDelivery } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import { useMemo, useState } from 'react';
import { useAccount } from '../../../api/account.ts';
import { useChange } from '../../../api/change.ts';
import { certificatesOf } from '../../../api/options.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { Confirm } from '../../../kit/confirm.tsx';
import { DeliveryState } from '../../../domain/delivery-state.tsx';
import { useChosen } from '../../../kit/fields/choices.ts';
import { to } from '../../../kit/links.ts';
import { Loaded } from '../../../kit/loaded.tsx';
import { Section, SectionHeading } from '../../../kit/page.tsx';
import { TextLink } from '../../../kit/router-link.tsx';
import { Time } from '../../../kit/time.tsx';
import { useSite, useSiteDelivery } from '../context.tsx';
import { siteText } from '../site.text.ts';

/**
 * The tab “Deployment” of a site: each document that its nodes get, and for each node the revision it has, or why it has not.
 */
export function SiteDelivery() {
  const t = useText(siteText);
  const { site, onSent } = useSite();
  const { role } = useAccount();
  const denial = useDenial();
  const delivery = useSiteDelivery(site.id);
  const resync = useChange('forceSiteSync');
  const [asking, setAsking] = useState(false);
  return (
    <Stack sx={{ gap: 3 }}>
      <Section
        title={t.deliveryTab.title}
        hint={t.deliveryTab.hint}
        actions={
          role === 'admin' && (
            <ActionButton
              icon="refresh"
              variant="outlined"
              color="inherit"
              onClick={() => setAsking(true)}
              disabledReason={denial('forceSiteSync')}
            >
              {t.actions.resync}
            </ActionButton>
          )
        }
      >
        <Loaded read={delivery}>
          {({ documents }) => (
            <Stack sx={{ gap: 4 }}>
              {documents.map((document) => (
                <Document
                  key={`${document.kind}/${document.key}`}
                  document={document}
                  admin={role === 'admin'}
                />
              ))}
            </Stack>
          )}
        </Loaded>
      </Section>
      {asking && (
        <Confirm
          title={t.actions.resyncTitle}
          body={t.actions.resyncBody}
          action={t.actions.resync}
          destructive={false}
          onConfirm={async () => {
            await resync.mutateAsync({ params: { id: site.id } });
            onSent();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}

/** Read by its id among all certificates that the reader may see. */
const certificateChoices = certificatesOf(undefined);

/**
 * One document and its nodes. The key of a certificate's document is the id of the certificate, by which its name is read.
 */
function Document({ document, admin }: { document: DocumentDelivery; admin: boolean }) {
  const t = useText(siteText).deliveryTab;
  const { kind, key } = document;
  const [certificate] = useChosen(
    certificateChoices,
    useMemo(() => (kind === 'certificate' ? [Number(key)] : []), [kind, key]),
  );
  const name = certificate ? `${t.documents.certificate} ${certificate.label}` : t.documents.site;
  return (
    <Box role="region" aria-label={name}>
      <Box sx={{ mb: 1.5 }}>
        <SectionHeading
          title={name}
          hint={
            <>
              {t.changed} <Time at={document.updated_at} />
            </>
          }
        />
      </Box>
      <DeliveryState
        desiredRevision={document.desired_revision}
        nodes={document.nodes.map((node) => ({
          ...node,
          id: node.node_id,
          name: <NodeName node={node} admin={admin} />,
          at: node.acked_at,
          // Why it is pending: the node is not connected, and gets the document when it is back.
          waiting: node.status === 'pending' && !node.online ? t.waitingForNode : undefined,
        }))}
      />
    </Box>
  );
}

function NodeName({ node, admin }: { node: DocumentDelivery['nodes'][number]; admin: boolean }) {
  const t = useText(siteText).deliveryTab;
  return (
    <>
      {/* Customers are told what their nodes are called, and have no page about them. */}
      {admin ? (
        <TextLink target={to.nodeDetail({ id: node.node_id })}>{node.node_name}</TextLink>
      ) : (
        node.node_name
      )}
      <Typography
        variant="caption"
        component="div"
        sx={(theme) => ({
          color: node.online ? 'success.dark' : 'text.secondary',
          ...(node.online ? theme.applyStyles('dark', { color: 'success.light' }) : {}),
        })}
      >
        {node.online ? t.online : t.offline}
      </Typography>
    </>
  );
}
