import { Box, Collapse, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { ActionIcon } from '../action-button.tsx';

interface FoldedRowProps {
  /** Names the group of its fields. */
  name: string;
  title: ReactNode;
  /** What it does, in a line. */
  summary: ReactNode;
  /** It does something at all. */
  isOn: boolean;
  /** Stands before the button that opens it, such as a switch. */
  beside: ReactNode;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  openLabel: string;
  closeLabel: string;
  children: ReactNode;
}

/** A row of a list of rules: a line that says what it does, and its fields below once it is opened. */
export function FoldedRow(props: FoldedRowProps) {
  const { name, title, summary, isOn, beside, isOpen, onOpen, openLabel, closeLabel, children } = props;
  return (
    <Box component="fieldset" aria-label={name} sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, flexWrap: 'wrap' }}>
        <Stack sx={{ flex: '1 1 200px', minWidth: 0, opacity: isOn ? 1 : 0.6 }}>
          <Typography variant="subtitle2">{title}</Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {summary}
          </Typography>
        </Stack>
        {beside}
        <ActionIcon
          icon={isOpen ? 'minus' : 'edit'}
          label={isOpen ? closeLabel : openLabel}
          onClick={() => onOpen(!isOpen)}
        />
      </Stack>
      <Collapse in={isOpen} unmountOnExit>
        {children}
      </Collapse>
    </Box>
  );
}
