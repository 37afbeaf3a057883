import { sitePortSetting, type SitePortSetting } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useMay } from '../../api/account.ts';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields.tsx';
import { PortRangesInput } from '../../kit/fields/list-inputs.tsx';
import { FormFrame } from '../../kit/form-page.tsx';
import { submitForm, useSchemaForm } from '../../kit/form.tsx';
import { kitText } from '../../kit/kit.text.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { notify } from '../../kit/toast.ts';
import { settingText } from './setting.text.ts';

/** Which ports sites may have beside those of the nodes. */
export function SitePortForms() {
  const read = useApi('getSitePortSetting', {});
  return <Loaded read={read}>{(data) => <SitePortForm setting={data} />}</Loaded>;
}

function SitePortForm({ setting }: { setting: SitePortSetting }) {
  const t = useText(settingText);
  const kit = useText(kitText);
  const may = useMay();
  const update = useChange('updateSitePortSetting', ['getSitePortSetting']);
  const form = useSchemaForm(sitePortSetting, setting);
  const { control } = form;
  const submit = submitForm(form, async (body) => {
    form.reset(await update.mutateAsync({ body }));
    notify.success(t.saved);
  });
  return (
    <FormFrame
      form={form}
      onSubmit={submit}
      disabledReason={may('updateSitePortSetting') ? undefined : kit.noPermission}
    >
      <Section title={t.sitePorts} hint={t.sitePortsHint}>
        <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, pt: 1 }}>
          <NumberInput control={control} name="first" label={t.firstPort} />
          <NumberInput control={control} name="last" label={t.lastPort} />
          <Box sx={{ gridColumn: '1 / -1' }}>
            <PortRangesInput
              control={control}
              name="denied"
              label={t.deniedPorts}
              hint={t.deniedPortsHint}
              rows={3}
            />
          </Box>
        </Box>
      </Section>
    </FormFrame>
  );
}
