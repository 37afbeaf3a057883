import { platformHttps } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { platformCertificates } from '../../api/options.ts';
import { useText } from '../../i18n/text.ts';
import { SwitchInput } from '../../kit/fields/inputs.tsx';
import { RemoteSelect } from '../../kit/fields/remote-select.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/** The certificate of the consoles themselves: one of the platform's own, which no site can use. */
export function PlatformHttpsForm() {
  const t = useText(settingText);
  const read = useFormRead('getPlatformHttps', {});
  const update = useChange('updatePlatformHttps');
  return (
    <SettingOf
      schema={platformHttps}
      read={read}
      route="updatePlatformHttps"
      save={(body) => update.mutateAsync({ body })}
      title={t.https}
      hint={t.httpsHint}
    >
      {({ control }) => (
        <Stack sx={{ gap: 3, pt: 1 }}>
          <RemoteSelect
            control={control}
            name="certificate_id"
            label={t.httpsCertificate}
            hint={t.httpsCertificateHint}
            placeholder={t.httpsNone}
            choices={platformCertificates}
          />
          <SwitchInput control={control} name="redirect" label={t.httpsRedirect} hint={t.httpsRedirectHint} />
        </Stack>
      )}
    </SettingOf>
  );
}
