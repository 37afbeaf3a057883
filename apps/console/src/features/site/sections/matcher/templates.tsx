import type { MatcherRule } from '@breakwater/contract';
import { Button, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import { useMay } from '../../../../api/account.ts';
import { useApi } from '../../../../api/query.ts';
import { siteMatcherText } from '../../../../domain/matcher/matcher.text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Icon } from '../../../../kit/icon.tsx';

/**
 * The templates of whoever is signed in; nothing where there is none. Their rules are copied: a template that is
 * changed later changes no site.
 */
export function Templates({ onChoose }: { onChoose: (rules: MatcherRule[]) => void }) {
  return useMay()('listWafMatchers') ? <TemplateMenu onChoose={onChoose} /> : null;
}

function TemplateMenu({ onChoose }: { onChoose: (rules: MatcherRule[]) => void }) {
  const t = useText(siteMatcherText);
  const { data } = useApi('listWafMatchers', { query: { page_size: 100 } });
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (data === undefined || data.list.length === 0) return null;
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<Icon name="add" />}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {t.fromTemplate}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {data.list.map(({ id, name, rules }) => (
          <MenuItem
            key={id}
            onClick={() => {
              onChoose(rules);
              setAnchor(null);
            }}
          >
            {name}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
