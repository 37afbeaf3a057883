import type { Activity, EventSubject } from '@breakwater/contract';
import { useMay } from '../../api/account.ts';
import { useActivity } from '../../api/activity.ts';
import { ActivityCard } from '../../domain/activity.tsx';
import { activityText } from '../../domain/activity.text.ts';
import { useText } from '../../i18n/text.ts';
import { isForOthers, to, type Target } from '../../kit/links.ts';
import { Page } from '../../kit/page.tsx';
import { UrlTabs, type TabPage } from '../../kit/url-tabs.tsx';
import { OperationLogList } from './operation-log-list.tsx';
import { operationLogText } from './operation-log.text.ts';

/** What happened to things, which is what people look for; the calls as they came stand beside it. */
export function OperationLog() {
  const t = useText(operationLogText);
  const activity = useText(activityText);
  const may = useMay()('listActivity');
  const calls: TabPage = { id: 'requests', label: t.requests, content: () => <OperationLogList /> };
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <UrlTabs
        label={t.title}
        tabs={
          may ? [{ id: 'activity', label: activity.title, content: () => <AllActivity /> }, calls] : [calls]
        }
      />
    </Page>
  );
}

function AllActivity() {
  return <ActivityCard read={useActivity()} targetOf={targetOf} />;
}

/** Screens of single things; of what was removed there is none. */
const screens: Partial<Record<EventSubject, (id: number) => Target>> = {
  site: (id) => to.siteDetail({ id }, { tab: 'revisions' }),
  node: (id) => to.nodeDetail({ id }),
  client: (id) => to.clientDetail({ id }),
  product: (id) => to.productDetail({ id }),
  line_group: (id) => to.lineGroupDetail({ id }),
  order: (id) => to.orderDetail({ id }),
};

function targetOf({ subject_kind: subject, subject_id: id, kind }: Activity): Target | undefined {
  if (id === null || kind === 'removed') return undefined;
  const target = screens[subject]?.(id);
  return target === undefined || isForOthers(target) ? undefined : target;
}
