import { Box } from '@mui/material';
import type { ReactNode } from 'react';
import { monospace } from '../theme/theme.ts';
import { CopyButton } from './copy-text.tsx';

/** Deeper than this is folded to begin with. */
const openDepth = 2;

/** JSON text as a tree whose parts fold, with a button that copies it; text that is no JSON as it is. */
export function JsonView({ text }: { text: string }) {
  const value = parsed(text);
  return (
    <Box dir="ltr" sx={{ position: 'relative', borderRadius: 1, bgcolor: 'action.hover' }}>
      <Box sx={{ position: 'absolute', insetInlineEnd: 4, top: 4 }}>
        <CopyButton text={text} label="JSON" />
      </Box>
      <Box tabIndex={0} sx={look}>
        {value === undefined ? text : <Value value={value} depth={0} end="" />}
      </Box>
    </Box>
  );
}

const look = {
  p: 1.5,
  pr: 5,
  maxHeight: 320,
  overflow: 'auto',
  fontFamily: monospace,
  fontSize: 12.5,
  lineHeight: 1.6,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '& summary': { cursor: 'pointer' },
  '& details > div': { paddingInlineStart: '20px' },
  '& details:not([open]) > summary::after': { content: '" … " attr(data-end)' },
} as const;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

interface ValueProps {
  name?: string;
  value: Json;
  depth: number;
  /** What follows it: a comma, or nothing. */
  end: string;
}

function Value({ name, value, depth, end }: ValueProps): ReactNode {
  const before = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const isList = Array.isArray(value);
  const parts: [string | undefined, Json][] = isList
    ? value.map((item) => [undefined, item])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  if (parts.length === 0)
    return (
      <div>
        {before}
        {JSON.stringify(value)}
        {end}
      </div>
    );
  const [open, close] = isList ? '[]' : '{}';
  return (
    <details open={depth < openDepth}>
      <summary data-end={`${close}${end}`}>
        {before}
        {open}
      </summary>
      <div>
        {parts.map(([key, part], index) => (
          <Value
            key={key ?? index}
            {...(key === undefined ? {} : { name: key })}
            value={part}
            depth={depth + 1}
            end={index < parts.length - 1 ? ',' : ''}
          />
        ))}
      </div>
      {close}
      {end}
    </details>
  );
}
