import type { Node } from '@breakwater/contract';
import { useMay } from '../../api/account.ts';
import { useApi } from '../../api/query.ts';
import { ServedFaults } from '../../domain/served-faults.tsx';
import { servedFaultsText } from '../../domain/served-faults.text.ts';
import { useText } from '../../i18n/text.ts';
import { Section } from '../../kit/page.tsx';

/** Checks are made by the control plane in their own time; this only looks at what came of them. */
const refreshMs = 10_000;

/** Names under which the node serves another certificate than it is to; nothing where there are none. */
export function NodeServed({ node }: { node: Node }) {
  const t = useText(servedFaultsText);
  const may = useMay()('listServedFaults');
  const query = { node_id: node.id };
  const { data } = useApi('listServedFaults', { query }, { refetchInterval: refreshMs, enabled: may });
  if (!data || data.total === 0) return null;
  return (
    <Section title={t.title} hint={t.all(data.list.length, data.total)}>
      <ServedFaults faults={data.list} />
    </Section>
  );
}
