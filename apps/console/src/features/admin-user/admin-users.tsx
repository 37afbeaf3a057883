import { useText } from '../../i18n/text.ts';
import { Page } from '../../kit/page.tsx';
import { UrlTabs } from '../../kit/url-tabs.tsx';
import { AdminGroupList } from './admin-group-list.tsx';
import { adminUsers, AdminUserList } from './admin-user-list.tsx';
import { adminUserText } from './admin-user.text.ts';

export const { firstRead } = adminUsers;

/** Administrators and their groups, a tab each. */
export function AdminUsers() {
  const t = useText(adminUserText);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <UrlTabs
        label={t.title}
        tabs={[
          { id: 'users', label: t.tabs.users, content: () => <AdminUserList /> },
          { id: 'groups', label: t.tabs.groups, content: () => <AdminGroupList /> },
        ]}
      />
    </Page>
  );
}
