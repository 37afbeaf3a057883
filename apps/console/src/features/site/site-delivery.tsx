import type { DocumentDelivery } from '@breakwater/contract';
import {
  Stack,
  Table,
  TableBody,
  TableCell,
  TableContainer,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useState } from 'react';
import { useAccount, useMay } from '../../api/account.ts';
import { useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section, SectionHeading } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { useSite, useSiteDelivery } from './site-context.tsx';
import { siteReads } from './site-reads.ts';
import { siteText } from './site.text.ts';

type NodeDelivery = DocumentDelivery['nodes'][number];
const tones: Record<NodeDelivery['status'], Tone> = { pending: 'info', applied: 'success', refused: 'error' };

export function SiteDelivery() {
  const t = useText(siteText);
  const kit = useText(kitText);
  const { site, onSent } = useSite();
  const { role } = useAccount();
  const may = useMay();
  const delivery = useSiteDelivery(site.id);
  const resync = useChange('forceSiteSync', siteReads);
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
              disabledReason={may('forceSiteSync') ? undefined : kit.noPermission}
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
                <DocumentTable
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

function DocumentTable({ document, admin }: { document: DocumentDelivery; admin: boolean }) {
  const t = useText(siteText).deliveryTab;
  const name = document.kind === 'site' ? t.documents.site : `${t.documents.certificate} #${document.key}`;
  const about = (
    <>
      {t.desired} <strong>{document.desired_revision}</strong> · {t.changed} <Time at={document.updated_at} />
    </>
  );
  return (
    <div>
      <SectionHeading title={name} hint={about} />
      {document.nodes.length === 0 ? (
        <EmptyState icon="node" title={t.noNodes} hint={t.noNodesHint} />
      ) : (
        <TableContainer sx={{ mt: 1.5 }} tabIndex={0} role="region" aria-label={name}>
          <Table size="small" aria-label={name}>
            <TableHead>
              <TableRow>
                <TableCell>{t.node}</TableCell>
                <TableCell>{t.state}</TableCell>
                <TableCell align="right">{t.active}</TableCell>
                <TableCell>{t.time}</TableCell>
                <TableCell>{t.error}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {document.nodes.map((node) => (
                <NodeRow key={node.node_id} node={node} admin={admin} />
              ))}
            </TableBody>
          </Table>
        </TableContainer>
      )}
    </div>
  );
}

function NodeRow({ node, admin }: { node: NodeDelivery; admin: boolean }) {
  const t = useText(siteText).deliveryTab;
  return (
    <TableRow>
      <TableCell>
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
      </TableCell>
      <TableCell>
        <StatusChip
          tone={tones[node.status]}
          label={t.states[node.status]}
          busy={node.status === 'pending'}
        />
      </TableCell>
      <TableCell align="right">{node.active_revision ?? '–'}</TableCell>
      <TableCell>
        <Time at={node.acked_at} />
      </TableCell>
      <TableCell sx={{ color: 'error.main', overflowWrap: 'anywhere', minWidth: 160 }}>
        {node.error ?? ''}
      </TableCell>
    </TableRow>
  );
}
