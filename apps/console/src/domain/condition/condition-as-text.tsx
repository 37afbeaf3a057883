import type { Condition } from '@breakwater/contract';
import { TextField } from '@mui/material';
import { printCondition } from '@breakwater/policy/conditions/text';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { monospace } from '../../theme/theme.ts';
import { useFieldMessage } from '../../kit/form/form.tsx';
import { allWrong } from '../../kit/form/error-paths.ts';
import { issueKey } from '../../kit/form/issue-key.ts';
import { conditionText } from './condition.text.ts';
import type { ConditionErrors } from './errors.ts';
import { readWritten, type ReadCondition } from './written.ts';

interface ConditionAsTextProps {
  value: Condition;
  onChange: (value: Condition) => void;
  errors: ConditionErrors | undefined;
  onWrong: (isWrong: boolean) => void;
  locked: boolean;
  content: boolean;
}

/** No condition at all, which no form takes: nothing is saved in place of a text that cannot be read. */
const unreadable: Condition = { match: 'all', negated: false, items: [] };

export function ConditionAsText({ value, onChange, errors, onWrong, locked, content }: ConditionAsTextProps) {
  const t = useText(conditionText);
  const say = useProblem();
  const [text, setText] = useState(() => (value.items.length === 0 ? '' : printCondition(value)));
  const [read, setRead] = useState<ReadCondition>({ value });
  // What only the server found stands at a part, which has no place of its own in a text.
  const found = useFieldMessage()(errors?.items && allWrong({ items: errors.items })[0]?.message);
  const problem = say(read) ?? found;
  return (
    <TextField
      label={t.written}
      multiline
      minRows={3}
      maxRows={12}
      value={text}
      onChange={({ target }) => {
        const next = readWritten(target.value, content, issueKey);
        setText(target.value);
        setRead(next);
        onWrong(!('value' in next));
        onChange('value' in next ? next.value : unreadable);
      }}
      error={problem !== undefined}
      helperText={problem ?? t.writtenHint}
      slotProps={{
        htmlInput: {
          readOnly: locked,
          spellCheck: false,
          autoCapitalize: 'off',
          autoComplete: 'off',
          dir: 'ltr',
        },
      }}
      sx={{ '& textarea': { fontFamily: monospace, fontSize: 13, lineHeight: 1.6 } }}
    />
  );
}

function useProblem(): (read: ReadCondition) => string | undefined {
  const t = useText(conditionText);
  const say = useFieldMessage();
  return (read) => {
    if ('value' in read) return undefined;
    return t.wrongAt('problem' in read ? t.problems[read.problem] : (say(read.issue) ?? ''), read.at);
  };
}
