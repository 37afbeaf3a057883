import { Box, ButtonBase, FormControlLabel, Switch, Typography } from '@mui/material';
import { useId, type ReactNode } from 'react';
import type { IconName } from '../../kit/icon-names.ts';
import { Icon } from '../../kit/icon.tsx';
import { Hint } from '../../kit/hint.tsx';

interface ToggleCardProps {
  icon: IconName;
  label: string;
  hint?: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that is on or off; the whole card turns it. Off it still takes the focus, and its hint is why. */
export function ToggleCard({ icon, label, hint, checked, disabled = false, onChange }: ToggleCardProps) {
  const id = useId();
  const described = {
    ...(disabled ? { 'aria-disabled': true } : {}),
    ...(hint === undefined ? {} : { 'aria-describedby': id }),
  };
  const card = (
    <FormControlLabel
      labelPlacement="top"
      control={
        <Switch
          size="small"
          checked={checked}
          onChange={(event) => !disabled && onChange(event.target.checked)}
          slotProps={{ input: described }}
        />
      }
      label={
        <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
          <Icon name={icon} size={22} sx={{ color: checked ? 'primary.main' : 'text.secondary' }} />
          <Typography variant="body2" component="span" sx={{ fontWeight: 600 }}>
            {label}
          </Typography>
        </Box>
      }
      sx={(theme) => ({
        m: 0,
        width: '100%',
        p: 1.5,
        gap: 0.5,
        height: '100%',
        ...(disabled ? { cursor: 'default', opacity: 0.6 } : {}),
        alignItems: 'flex-start',
        borderRadius: 1.25,
        border: `1px solid ${theme.vars!.palette.divider}`,
        ...(checked && !disabled
          ? { backgroundColor: theme.alpha(theme.vars!.palette.primary.main, 0.06) }
          : {}),
      })}
    />
  );
  return hint ? (
    <Hint title={hint}>
      <Box sx={{ display: 'flex' }}>
        {card}
        <span id={id} hidden>
          {hint}
        </span>
      </Box>
    </Hint>
  ) : (
    card
  );
}

interface ChoicesProps<Value extends string> {
  title: string;
  columns: number;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
  picture: (value: Value) => ReactNode;
}

/** One of several, each with a picture of what it does. Arrow keys move, as in any group of radio buttons. */
export function Choices<Value extends string>({
  title,
  columns,
  value,
  options,
  onChange,
  picture,
}: ChoicesProps<Value>) {
  const titleId = useId();
  const move = (event: React.KeyboardEvent, index: number) => {
    const forward = event.key === 'ArrowRight' || event.key === 'ArrowDown';
    if (!forward && event.key !== 'ArrowLeft' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const next = (index + (forward ? 1 : -1) + options.length) % options.length;
    onChange(options[next]!.value);
    (event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
  };
  return (
    <Box component="section">
      <Typography
        id={titleId}
        component="p"
        variant="body2"
        sx={{ color: 'text.secondary', mb: 1, fontWeight: 600 }}
      >
        {title}
      </Typography>
      <Box
        role="radiogroup"
        aria-labelledby={titleId}
        sx={{ display: 'grid', gridTemplateColumns: `repeat(${columns}, 1fr)`, gap: 1 }}
      >
        {options.map((option, index) => (
          <ButtonBase
            key={option.value}
            role="radio"
            aria-checked={option.value === value}
            tabIndex={option.value === value ? 0 : -1}
            onClick={() => onChange(option.value)}
            onKeyDown={(event) => move(event, index)}
            sx={choiceLook}
          >
            {picture(option.value)}
            <Typography variant="caption" component="span" sx={{ fontWeight: 600 }}>
              {option.label}
            </Typography>
          </ButtonBase>
        ))}
      </Box>
    </Box>
  );
}

const choiceLook = {
  flexDirection: 'column',
  gap: 0.75,
  py: 1.25,
  px: 0.5,
  borderRadius: 1.25,
  border: 1,
  borderColor: 'divider',
  color: 'text.secondary',
  '&:hover': { bgcolor: 'action.hover' },
  '&.Mui-focusVisible': { outline: '2px solid', outlineColor: 'primary.main' },
  '&[aria-checked="true"]': {
    borderColor: 'primary.main',
    color: 'text.primary',
    boxShadow: 'inset 0 0 0 1px var(--mui-palette-primary-main)',
  },
} as const;
