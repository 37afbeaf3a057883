import { conditionDepthMax, type ConditionGroup, type ConditionLeaf } from '@breakwater/contract';
import { Box, Button, MenuItem, Stack, TextField, ToggleButton } from '@mui/material';
import { useRef } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../../kit/action-button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { LeafEditor } from './condition-leaf.tsx';
import { conditionText } from './condition.text.ts';
import type { ConditionErrors } from './errors.ts';

interface GroupEditorProps {
  group: ConditionGroup;
  onChange: (group: ConditionGroup) => void;
  onRemove?: () => void;
  errors: ConditionErrors | undefined;
  /** Before the numbers of its tests: `2.`. */
  place: string;
  depth: number;
  locked: boolean;
  content: boolean;
}

const newLeaf: ConditionLeaf = {
  field: 'path',
  operator: 'starts_with',
  values: [],
  negated: false,
  ignore_case: false,
};

/** Tests joined by and or or, and groups of them within. */
export function GroupEditor({ group, onChange, onRemove, errors, place, depth, ...how }: GroupEditorProps) {
  const { locked } = how;
  const t = useText(conditionText);
  const adder = useRef<HTMLButtonElement>(null);
  const { items } = group;
  const setItems = (next: ConditionGroup['items']) => onChange({ ...group, items: next });
  const replace = (index: number, item: ConditionGroup | ConditionLeaf) => setItems(items.with(index, item));
  const removeAt = (index: number) => {
    setItems(items.toSpliced(index, 1));
    // What had the focus is gone.
    adder.current?.focus();
  };
  return (
    <Stack role="group" aria-label={`${t.group} ${place.slice(0, -1)}`.trim()} sx={{ gap: 1.5 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <TextField
          select
          size="small"
          label={t.match}
          value={group.match}
          onChange={({ target }) => onChange({ ...group, match: target.value as 'all' | 'any' })}
          slotProps={{ select: { readOnly: locked } }}
          sx={{ width: 180 }}
        >
          <MenuItem value="all">{t.all}</MenuItem>
          <MenuItem value="any">{t.any}</MenuItem>
        </TextField>
        <ToggleButton
          value="not"
          size="small"
          selected={group.negated}
          disabled={locked}
          onChange={() => onChange({ ...group, negated: !group.negated })}
        >
          {t.negateGroup}
        </ToggleButton>
        {onRemove !== undefined && !locked && (
          <ActionIcon icon="delete" label={t.removeGroup} onClick={onRemove} size="medium" />
        )}
      </Stack>
      {items.map((item, index) => {
        const shared = { errors: errors?.items?.[index], ...how };
        const own = `${place}${index + 1}`;
        return (
          <Box
            key={index}
            sx={{ borderInlineStart: 3, borderColor: 'divider', paddingInlineStart: { xs: 0.75, sm: 1.5 } }}
          >
            {'items' in item ? (
              <GroupEditor
                group={item}
                onChange={(next) => replace(index, next)}
                onRemove={() => removeAt(index)}
                place={`${own}.`}
                depth={depth + 1}
                {...shared}
              />
            ) : (
              <LeafEditor
                leaf={item}
                onChange={(next) => replace(index, next)}
                onRemove={items.length > 1 ? () => removeAt(index) : undefined}
                place={own}
                {...shared}
              />
            )}
          </Box>
        );
      })}
      {!locked && (
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          <Button
            ref={adder}
            size="small"
            startIcon={<Icon name="add" size={18} />}
            onClick={() => setItems([...items, newLeaf])}
          >
            {t.addTest}
          </Button>
          {depth < conditionDepthMax && (
            <Button
              size="small"
              startIcon={<Icon name="add" size={18} />}
              onClick={() => setItems([...items, { match: 'any', negated: false, items: [newLeaf] }])}
            >
              {t.addGroup}
            </Button>
          )}
        </Stack>
      )}
    </Stack>
  );
}
