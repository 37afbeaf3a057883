import type { MatcherRule } from '@breakwater/contract';
import { Button, Popover } from '@mui/material';
import { useState } from 'react';
import { useMay } from '../../../../api/account.ts';
import { call } from '../../../../api/client.ts';
import { ruleTemplateChoices } from '../../../../api/options.ts';
import { useApi } from '../../../../api/query.ts';
import { siteMatcherText } from '../../../../domain/matcher/matcher.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { RemotePicker } from '../../../../kit/fields/remote-picker.tsx';
import { Icon } from '../../../../kit/icon.tsx';
import { notify } from '../../../../kit/toast.ts';

/**
 * The templates of whoever is signed in; nothing where there is none. Their rules are copied: a template that is
 * changed later changes no site.
 */
export function Templates({ onChoose }: { onChoose: (rules: MatcherRule[]) => void }) {
  return useMay()('listWafMatchers') ? <TemplatePicker onChoose={onChoose} /> : null;
}

function TemplatePicker({ onChoose }: { onChoose: (rules: MatcherRule[]) => void }) {
  const t = useText(siteMatcherText);
  const { data } = useApi('listWafMatchers', { query: { page_size: 1 } });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (data === undefined || data.total === 0) return null;
  const choose = async (id: number) => {
    setAnchor(null);
    try {
      onChoose((await call('getWafMatcher', { params: { id } })).rules);
    } catch (error) {
      notify.refused((error as Error).message);
    }
  };
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<Icon name="add" />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t.fromTemplate}
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': t.fromTemplate, sx: { width: 320, p: 2 } } as object,
        }}
      >
        <RemotePicker
          label={t.template}
          value={undefined}
          onChange={(id) => id !== undefined && void choose(id)}
          choices={ruleTemplateChoices}
        />
      </Popover>
    </>
  );
}
