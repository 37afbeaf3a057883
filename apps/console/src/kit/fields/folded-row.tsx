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
      {/* At the top, where the handle and the button of the row that removes it stand too. */}
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, flexWrap: 'wrap' }}>
        <Stack sx={{ flex: '1 1 160px', minWidth: 0, pt: 0.5, opacity: isOn ? 1 : 0.6 }}>
          <Typography variant="subtitle2">{title}</Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
            {summary}
          </Typography>
        </Stack>
        {/* On a phone in a line of its own: the button that opens stays beside the name. */}
        <Stack
          direction="row"
          sx={{ order: { xs: 1, sm: 0 }, alignItems: 'center', columnGap: 1, flexWrap: 'wrap' }}
        >
          {beside}
        </Stack>
        <ActionIcon
          icon={isOpen ? 'minus' : 'edit'}
          size="medium"
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
