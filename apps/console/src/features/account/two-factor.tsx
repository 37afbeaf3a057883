import { passwordAndCodeInput } from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { notify } from '../../kit/toast.ts';
import { accountText } from './account.text.ts';
import { OneTimeCodeInput, OwnPasswordInput } from './fields.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

/** Two-factor authentication by an authenticator app (TOTP, RFC 6238), with recovery codes. */
export function TwoFactor() {
  return <Loaded read={useApi('getTwoFactor', {})}>{(state) => <Card state={state} />}</Loaded>;
}

/** From here on it is time for new ones: without codes and without the device nobody gets in. */
const fewCodes = 3;
type Open = 'setup' | 'renew' | 'disable' | { codes: string[] };

function Card({ state }: { state: Data<'getTwoFactor'> }) {
  const t = useText(accountText).twoFactor;
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { enabled_at: since, recovery_codes_left: left } = state;
  return (
    <Section
      title={t.title}
      hint={t.hint}
      actions={<StatusChip tone={since ? 'success' : 'neutral'} label={since ? t.on : t.off} />}
    >
      <Stack sx={{ gap: 2 }}>
        {since && (
          <Typography variant="body2">
            {t.since} <Time at={since} />
            {' · '}
            <Typography component="span" variant="inherit" color={left <= fewCodes ? 'error' : 'inherit'}>
              {t.codesLeft(left)}
            </Typography>
          </Typography>
        )}
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
          {since ? (
            <>
              <ActionButton variant="outlined" icon="refresh" onClick={() => setOpen('renew')}>
                {t.renew}
              </ActionButton>
              <ActionButton variant="outlined" color="error" onClick={() => setOpen('disable')}>
                {t.disable}
              </ActionButton>
            </>
          ) : (
            <ActionButton variant="contained" icon="key" onClick={() => setOpen('setup')}>
              {t.enable}
            </ActionButton>
          )}
        </Stack>
      </Stack>
      {open === 'setup' && <TwoFactorSetup onCodes={(codes) => setOpen({ codes })} onClose={close} />}
      {open === 'renew' && <Renewal onCodes={(codes) => setOpen({ codes })} onClose={close} />}
      {open === 'disable' && <Disabling onClose={close} />}
      {/* In the form's place, and not beside it: what is shown once must not be covered. */}
      {open && typeof open === 'object' && <RecoveryCodes codes={open.codes} onClose={close} />}
    </Section>
  );
}

const empty = { password: '', one_time_code: '' };

/**
 * New recovery codes make the old ones void. A code is asked for as well: a session that was left open does not suffice.
 */
function Renewal({ onCodes, onClose }: { onCodes: (codes: string[]) => void; onClose: () => void }) {
  const t = useText(accountText).twoFactor;
  const renew = useChange('renewRecoveryCodes');
  const form = useSchemaForm(passwordAndCodeInput, empty);
  const submit = submitForm(form, async (body) =>
    onCodes((await renew.mutateAsync({ body })).recovery_codes),
  );
  return (
    <FormDrawer title={t.renew} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.renewSubmit}>
      <Typography variant="body2">{t.renewHint}</Typography>
      <OwnPasswordInput control={form.control} name="password" autoFocus />
      <OneTimeCodeInput control={form.control} name="one_time_code" hint={t.codeHint} />
    </FormDrawer>
  );
}

function Disabling({ onClose }: { onClose: () => void }) {
  const t = useText(accountText).twoFactor;
  const disable = useChange('disableTwoFactor');
  const form = useSchemaForm(passwordAndCodeInput, empty);
  const submit = submitForm(form, async (body) => {
    await disable.mutateAsync({ body });
    notify.success(t.disabled);
    onClose();
  });
  return (
    <FormDrawer title={t.disable} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.disable}>
      <Typography variant="body2">{t.disableHint}</Typography>
      <OwnPasswordInput control={form.control} name="password" autoFocus />
      <OneTimeCodeInput control={form.control} name="one_time_code" hint={t.codeHint} />
    </FormDrawer>
  );
}
