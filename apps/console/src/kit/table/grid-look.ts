import type { Theme } from '@mui/material';
import type { Density } from './table-view.ts';

export const rowHeight: Record<Density, number> = { comfortable: 57, compact: 37 };

/** Room before the first column, for what selects and unfolds a row. */
export function leadWidth({ selection, expansion }: { selection?: unknown; expansion?: unknown }): number {
  return (selection ? 42 : 0) + (expansion ? 38 : 0);
}

/** The styles of all cells in one place: a thousand cells with styles of their own would be slow. */
export const gridLook = (density: Density, lead: number) => (theme: Theme) => {
  const paper = theme.vars!.palette.background.paper;
  const tint = (colour: string) => `linear-gradient(${colour}, ${colour})`;
  const stuck = { position: 'sticky', zIndex: 2, backgroundColor: paper } as const;
  const edge = { content: '""', position: 'absolute', top: 0, bottom: 0, width: '1px', backgroundColor: theme.vars!.palette.divider } as const;
  return {
    '& td': density === 'compact' ? { py: 0.75 } : { py: 1.75 },
    '& td.last, & td.lead': { py: 0.25 },
    '& td.details': { py: 2, backgroundColor: theme.vars!.palette.action.hover },
    '& tbody tr:last-child td': { borderBottom: 0 },
    '& thead th': {
      position: 'sticky',
      top: 0,
      zIndex: 3,
      backgroundColor: paper,
      backgroundImage: tint(theme.alpha(theme.vars!.palette.grey[500], 0.08)),
    },
    '& .lead': { width: lead, minWidth: lead, paddingInlineStart: '8px', whiteSpace: 'nowrap' },
    '& td.lead': { ...stuck, insetInlineStart: 0 },
    '& td.first': { ...stuck, insetInlineStart: lead },
    '& td.last': { ...stuck, insetInlineEnd: 0 },
    '& th.lead': { insetInlineStart: 0, zIndex: 4 },
    '& th.first': { insetInlineStart: lead, zIndex: 4 },
    '& th.last': { insetInlineEnd: 0, zIndex: 4 },
    '& tbody tr:hover > td.first, & tbody tr:hover > td.last, & tbody tr:hover > td.lead': {
      backgroundImage: tint(theme.vars!.palette.action.hover),
    },
    '& tbody tr.Mui-selected > td': { backgroundImage: tint(theme.alpha(theme.vars!.palette.primary.main, 0.08)) },
    '&.more-before td.first::after, &.more-before th.first::after': { ...edge, insetInlineEnd: 0 },
    '&.more-after td.last::after, &.more-after th.last::after': { ...edge, insetInlineStart: 0 },
    '& .copy': { opacity: 0 },
    '& tr:hover .copy, & .copy:focus-within': { opacity: 1 },
    // Where nothing hovers, what appears on hover has to be there.
    '@media (hover: none)': { '& .copy': { opacity: 1 } },
  };
};
