import { sitePortSetting, type SitePortSetting } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useApi, useChange } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields.tsx';
import { PortRangesInput } from '../../kit/fields/list-inputs.tsx';
import { useSchemaForm } from '../../kit/form.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { SettingFrame } from './setting-frame.tsx';
import { settingText } from './setting.text.ts';

/** Which ports sites may have beside those of the nodes. */
export function SitePortForms() {
  const read = useApi('getSitePortSetting', {});
  return <Loaded read={read}>{(data) => <SitePortForm setting={data} />}</Loaded>;
}

function SitePortForm({ setting }: { setting: SitePortSetting }) {
  const t = useText(settingText);
  const update = useChange('updateSitePortSetting', ['getSitePortSetting']);
  const form = useSchemaForm(sitePortSetting, setting);
  const { control } = form;
  return (
    <SettingFrame
      form={form}
      route="updateSitePortSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.sitePorts}
      hint={t.sitePortsHint}
    >
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
    </SettingFrame>
  );
}
