import type { Condition } from '@breakwater/contract';
import { Box, Button, Stack, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Denied } from '../../kit/denied.tsx';
import { Icon } from '../../kit/icon.tsx';
import { ConditionAsText } from './condition-as-text.tsx';
import { GroupEditor } from './condition-group.tsx';
import { ConditionTrial } from './condition-trial.tsx';
import { conditionText } from './condition.text.ts';
import type { ConditionErrors } from './errors.ts';

interface ConditionEditorProps {
  value: Condition;
  onChange: (value: Condition) => void;
  onRemove: () => void;
  errors: ConditionErrors | undefined;
  locked: boolean;
  content: boolean;
}

/** A condition, edited test by test or as text, and a request to try it on. */
export function ConditionEditor({
  value,
  onChange,
  onRemove,
  errors,
  locked,
  content,
}: ConditionEditorProps) {
  const t = useText(conditionText);
  const [isText, setText] = useState(false);
  const [isWrong, setWrong] = useState(false);
  return (
    <Box sx={{ border: { sm: 1 }, borderColor: { sm: 'divider' }, borderRadius: 1, p: { xs: 0, sm: 2 } }}>
      <Stack sx={{ gap: 2 }}>
        <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between', flexWrap: 'wrap' }}>
          <ToggleButtonGroup
            exclusive
            size="small"
            aria-label={t.mode}
            value={isText ? 'text' : 'mouse'}
            onChange={(_, chosen: string | null) => chosen !== null && setText(chosen === 'text')}
          >
            <Denied reason={isWrong ? t.textFirst : undefined}>
              <ToggleButton value="mouse">{t.byMouse}</ToggleButton>
            </Denied>
            <ToggleButton value="text">{t.asText}</ToggleButton>
          </ToggleButtonGroup>
          {!locked && (
            <Button
              size="small"
              color="inherit"
              startIcon={<Icon name="delete" size={18} />}
              onClick={onRemove}
            >
              {t.remove}
            </Button>
          )}
        </Stack>
        {isText ? (
          <ConditionAsText {...{ value, onChange, errors, locked, content }} onWrong={setWrong} />
        ) : (
          <GroupEditor
            group={value}
            onChange={(group) => onChange(group as Condition)}
            errors={errors}
            place=""
            depth={1}
            locked={locked}
            content={content}
          />
        )}
        <ConditionTrial value={value} isWrong={isWrong} />
      </Stack>
    </Box>
  );
}
