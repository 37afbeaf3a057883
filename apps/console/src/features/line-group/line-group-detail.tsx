import type { LineGroup } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { useApi } from '../../api/query.ts';
import { useActivityTab } from '../../frame/activity.tsx';
import { useDenial } from '../../frame/denial.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { DetailPage } from '../../kit/detail-page.tsx';
import { Facts } from '../../kit/facts.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { to } from '../../kit/links.ts';
import { Section } from '../../kit/page.tsx';
import { TextLink } from '../../kit/router-link.tsx';
import { useIdParam } from '../../kit/id-param.ts';
import { Time } from '../../kit/time.tsx';
import { LineGroupForm } from './line-group-form.tsx';
import { LineGroupNodes } from './line-group-nodes.tsx';
import { lineGroupText } from './line-group.text.ts';

/** The page of a line group: its settings, and the nodes that serve its sites. */
export function LineGroupDetail() {
  const t = useText(lineGroupText);
  const activityTab = useActivityTab('line_group');
  const kit = useText(kitText);
  return (
    <DetailPage
      read={useApi('getLineGroup', { params: { id: useIdParam() } })}
      label={t.title}
      back={{ target: to.lineGroups(), label: t.title }}
      title={({ name }) => name}
      actions={(lineGroup) => <EditButton lineGroup={lineGroup} />}
      tabs={(lineGroup) => [
        {
          id: 'overview',
          label: kit.overview,
          content: () => (
            <Stack sx={{ gap: 3 }}>
              <Overview lineGroup={lineGroup} />
              <LineGroupNodes lineGroup={lineGroup} />
            </Stack>
          ),
        },
        ...activityTab(lineGroup.id),
      ]}
    />
  );
}

function EditButton({ lineGroup }: { lineGroup: LineGroup }) {
  const kit = useText(kitText);
  const denial = useDenial();
  const [open, setOpen] = useState(false);
  return (
    <>
      <ActionButton
        icon="edit"
        variant="outlined"
        color="inherit"
        onClick={() => setOpen(true)}
        disabledReason={denial('updateLineGroup')}
      >
        {kit.edit}
      </ActionButton>
      {open && <LineGroupForm lineGroup={lineGroup} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What the line group is; the numbers lead to the lists that they count. */
function Overview({ lineGroup }: { lineGroup: LineGroup }) {
  const t = useText(lineGroupText);
  return (
    <Section title={t.overview}>
      <Facts
        facts={[
          { label: t.nodes, value: lineGroup.node_count },
          {
            label: t.sites,
            value: (
              <TextLink target={to.sites({ line_group_id: lineGroup.id })}>{lineGroup.site_count}</TextLink>
            ),
          },
          // The mode says what L2 nodes are asked for: what may be kept for all, or everything but gRPC.
          { label: t.l2, value: lineGroup.l2_enable ? t.l2Modes[lineGroup.l2_mode] : t.l2Off },
          {
            label: t.filing,
            value: lineGroup.filing_required ? (
              <TextLink target={to.unfiledDomains({ line_group_id: lineGroup.id })}>{t.filingYes}</TextLink>
            ) : (
              t.filingNo
            ),
          },
          { label: t.created, value: <Time at={lineGroup.created_at} /> },
          { label: t.description, value: lineGroup.description, wide: true },
        ]}
      />
    </Section>
  );
}
