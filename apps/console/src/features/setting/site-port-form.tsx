import { sitePortSetting } from '@breakwater/contract';
import { Box } from '@mui/material';
import { useChange } from '../../api/change.ts';
import { useFormRead } from '../../api/form-read.ts';
import { useText } from '../../i18n/text.ts';
import { NumberInput } from '../../kit/fields/inputs.tsx';
import { PortRangesInput } from '../../kit/fields/list-inputs.tsx';
import { SettingOf } from './setting-of.tsx';
import { settingText } from './setting.text.ts';

/**
 * Which ports sites may have beside those of the nodes: a range, less what is denied in it. Ports that are in use stay open.
 */
export function SitePortForms() {
  const t = useText(settingText);
  const read = useFormRead('getSitePortSetting', {});
  const update = useChange('updateSitePortSetting');
  return (
    <SettingOf
      schema={sitePortSetting}
      read={read}
      route="updateSitePortSetting"
      save={(body) => update.mutateAsync({ body })}
      title={t.sitePorts}
      hint={t.sitePortsHint}
    >
      {({ control }) => (
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
      )}
    </SettingOf>
  );
}
