import { matcherRuleSection, type MatcherRule } from '@breakwater/contract';
import { Button, Stack } from '@mui/material';
import { useRef, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { Icon } from '../../kit/icon.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { notify } from '../../kit/toast.ts';
import type { MatcherForm } from './form.ts';
import { siteMatcherText } from './matcher.text.ts';
import { ShippedRules } from './shipped-rules.tsx';

interface ToolsProps {
  form: Pick<MatcherForm, 'getValues' | 'setValue'>;
  /** Other places that rules can come from. */
  children?: (add: (rules: MatcherRule[]) => void) => ReactNode;
}

/** Rules that come from elsewhere, or go there; what is added is saved with the form. */
export function MatcherTools({ form, children }: ToolsProps) {
  const t = useText(siteMatcherText);
  const chosen = useRef<HTMLInputElement>(null);
  const add = (rules: MatcherRule[]) => {
    form.setValue('rules', [...(form.getValues('rules') ?? []), ...rules], { shouldDirty: true });
    notify.success(t.loaded(rules.length));
  };
  const read = async (file: File | undefined) => {
    if (file === undefined) return;
    const found = rulesIn(await file.text());
    if (typeof found === 'string') notify.error(`${t.importFailed}${found}`);
    else add(found);
  };
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ShippedRules onChoose={add} />
      {children?.(add)}
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<Icon name="upload" />}
        onClick={() => chosen.current?.click()}
      >
        {t.importJson}
      </Button>
      <input
        ref={chosen}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={t.importJson}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          // The same file can be chosen again once it is mended.
          event.target.value = '';
        }}
      />
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<Icon name="download" />}
        onClick={() =>
          saveFile(
            'custom-rules.json',
            new Blob([JSON.stringify({ rules: form.getValues('rules') ?? [] }, null, 2)], {
              type: 'application/json',
            }),
          )
        }
      >
        {t.exportJson}
      </Button>
    </Stack>
  );
}

/** The rules of a file, or what is wrong with it. */
function rulesIn(text: string): MatcherRule[] | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  const parsed = matcherRuleSection.safeParse(Array.isArray(value) ? { rules: value } : value);
  if (parsed.success) return parsed.data.rules;
  const [issue] = parsed.error.issues;
  return issue!.path.join('.');
}
