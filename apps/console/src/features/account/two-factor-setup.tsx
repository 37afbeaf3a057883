import { oneTimeCodeInput, passwordInput } from '@breakwater/contract';
import { Stack, Typography } from '@mui/material';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { CopyText } from '../../kit/copy-text.tsx';
import { Facts } from '../../kit/facts.tsx';
import { FormDrawer } from '../../kit/form/form-parts.tsx';
import { submitForm, useSchemaForm } from '../../kit/form/form.tsx';
import { accountText } from './account.text.ts';
import { OneTimeCodeInput, OwnPasswordInput } from './fields.tsx';
import { QrCode } from './qr-code.tsx';

interface SetupProps {
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

/** The password first, then the new key and a code of it. */
export function TwoFactorSetup({ onCodes, onClose }: SetupProps) {
  const [key, setKey] = useState<Data<'startTwoFactor'> | null>(null);
  return key ? (
    <Confirmation setup={key} onCodes={onCodes} onClose={onClose} />
  ) : (
    <Start onKey={setKey} onClose={onClose} />
  );
}

function Start({ onKey, onClose }: { onKey: (key: Data<'startTwoFactor'>) => void; onClose: () => void }) {
  const t = useText(accountText).twoFactor;
  const start = useChange('startTwoFactor');
  const form = useSchemaForm(passwordInput, { password: '' });
  const submit = submitForm(form, async (body) => onKey(await start.mutateAsync({ body })));
  return (
    <FormDrawer title={t.enable} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.next}>
      <Typography variant="body2">{t.enableHint}</Typography>
      <OwnPasswordInput control={form.control} name="password" autoFocus />
    </FormDrawer>
  );
}

function Confirmation({ setup, onCodes, onClose }: SetupProps & { setup: Data<'startTwoFactor'> }) {
  const t = useText(accountText).twoFactor;
  const confirm = useChange('confirmTwoFactor');
  const form = useSchemaForm(oneTimeCodeInput, { one_time_code: '' });
  const submit = submitForm(form, async (body) =>
    onCodes((await confirm.mutateAsync({ body })).recovery_codes),
  );
  return (
    <FormDrawer title={t.enable} form={form} onSubmit={submit} onClose={onClose} submitLabel={t.confirm}>
      <Typography variant="body2">{t.scan}</Typography>
      <Stack sx={{ alignItems: 'center' }}>
        <QrCode text={setup.otpauth_uri} label={t.qrCode} />
      </Stack>
      <Facts
        columns={1}
        facts={[{ label: t.secret, value: <CopyText text={setup.secret} label={t.secret} /> }]}
      />
      <OneTimeCodeInput control={form.control} name="one_time_code" hint={t.confirmHint} autoFocus />
    </FormDrawer>
  );
}
