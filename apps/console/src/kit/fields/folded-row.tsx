import { Box, Collapse, Stack, Typography } from '@mui/material';
import { useId, type ReactNode } from 'react';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { fieldsText } from './fields.text.ts';

interface FoldedRowProps {
  /** Its own name; empty where it has none, and what it does is its name. */
  name?: string;
  /** What it does, in a line. */
  summary: ReactNode;
  /** It does something at all. */
  isOn: boolean;
  /** Stands before the button that opens it, such as a switch. */
  beside: ReactNode;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  children: ReactNode;
}

/** A row of a list of rules: a line that says what it does, and its fields below once it is opened. */
export function FoldedRow(props: FoldedRowProps) {
  const { name = '', summary, isOn, beside, isOpen, onOpen, children } = props;
  const t = useText(fieldsText);
  const id = useId();
  return (
    <Box component="fieldset" aria-labelledby={id} sx={{ border: 0, p: 0, m: 0, minWidth: 0 }}>
      {/* At the top, where the handle and the button of the row that removes it stand too. */}
      <Stack direction="row" sx={{ alignItems: 'flex-start', gap: 1, flexWrap: 'wrap' }}>
        <Stack sx={{ flex: '1 1 160px', minWidth: 0, pt: 0.5, opacity: isOn ? 1 : 0.6 }}>
          <Typography id={id} variant="subtitle2" sx={{ overflowWrap: 'anywhere' }}>
            {name || summary}
          </Typography>
          {name !== '' && (
            <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
              {summary}
            </Typography>
          )}
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
          label={isOpen ? t.closeRow : t.openRow}
          of={id}
          onClick={() => onOpen(!isOpen)}
        />
      </Stack>
      <Collapse in={isOpen} unmountOnExit>
        {children}
      </Collapse>
    </Box>
  );
}
