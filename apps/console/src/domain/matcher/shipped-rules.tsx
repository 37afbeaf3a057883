import {
  shippedWafClasses,
  shippedWafRules,
  wafTemplateText,
  type MatcherRule,
  type ShippedWafClass,
} from '@breakwater/contract';
import { Button, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import { useLanguage } from '../../i18n/language.ts';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { siteMatcherText } from './matcher.text.ts';

interface ShippedRulesProps {
  onChoose: (rules: MatcherRule[], kind: ShippedWafClass) => void;
}

/** Rules for common software; what is chosen is for the form to take. */
export function ShippedRules({ onChoose }: ShippedRulesProps) {
  const t = useText(siteMatcherText);
  const language = useLanguage();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<Icon name="add" />}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ alignSelf: 'start' }}
      >
        {t.shipped}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {shippedWafClasses.map((kind) => (
          <MenuItem
            key={kind}
            onClick={() => {
              onChoose(shippedWafRules(kind, language), kind);
              setAnchor(null);
            }}
          >
            {wafTemplateText[language][kind]}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
