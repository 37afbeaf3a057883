import { Stack } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { formWidth } from '../../kit/form/form-page.tsx';
import { Page } from '../../kit/page.tsx';
import { UrlTabs } from '../../kit/url-tabs.tsx';
import { ApiTokenList } from './api-token-list.tsx';
import { Passkeys } from './passkeys.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForms } from './profile-form.tsx';
import { SessionList } from './session-list.tsx';
import { TwoFactor } from './two-factor.tsx';
import { accountText } from './account.text.ts';

/** One's own account, of administrators and customers alike. */
export function OwnAccount() {
  const t = useText(accountText);
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <UrlTabs
        label={t.title}
        tabs={[
          {
            id: 'profile',
            label: t.tabs.profile,
            content: () => (
              <Stack sx={{ maxWidth: formWidth, gap: 3 }}>
                <ProfileForms />
                <PasswordForm />
              </Stack>
            ),
          },
          {
            id: 'security',
            label: t.tabs.security,
            content: () => (
              <Stack sx={{ maxWidth: formWidth, gap: 3 }}>
                <TwoFactor />
                <Passkeys />
              </Stack>
            ),
          },
          { id: 'sessions', label: t.tabs.sessions, content: () => <SessionList /> },
          { id: 'tokens', label: t.tabs.tokens, content: () => <ApiTokenList /> },
        ]}
      />
    </Page>
  );
}
