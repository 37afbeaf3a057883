import { Box, Button, Checkbox, FormControlLabel, Popover, Stack, Typography } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { ActionIcon } from '../action-button.tsx';
import { ChoiceButtons } from '../choice-buttons.tsx';
import { Icon } from '../icon.tsx';
import { notify } from '../toast.ts';
import type { TableView } from './table-view.ts';
import { tableText } from './table.text.ts';
import { useViewLink } from './view-link.ts';

interface TableViewMenuProps {
  anchor: HTMLElement;
  headers: ReadonlyMap<string, string>;
  view: TableView;
  onClose: () => void;
}

/** Which columns are shown and in which order, and how dense the rows are. */
export function TableViewMenu({ anchor, headers, view, onClose }: TableViewMenuProps) {
  const t = useText(tableText);
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': t.view, sx: { width: 300 } } as object }}
    >
      <DensityChoice view={view} />
      <ColumnList headers={headers} view={view} />
      <Stack sx={{ p: 1.5, borderTop: 1, borderColor: 'divider', alignItems: 'flex-start' }}>
        <CopyLink columns={view.address} />
        <Button
          size="small"
          color="inherit"
          onClick={view.reset}
          startIcon={<Icon name="rollback" size={18} />}
        >
          {t.reset}
        </Button>
      </Stack>
    </Popover>
  );
}

/** The address of the list as it is shown now, for whoever is to see the same of it. */
function CopyLink({ columns }: { columns: string }) {
  const t = useText(tableText);
  const linkTo = useViewLink();
  return (
    <Button
      size="small"
      color="inherit"
      startIcon={<Icon name="link" size={18} />}
      onClick={() => void linkTo({ columns }).then(() => notify.success(t.linkCopied))}
    >
      {t.copyLink}
    </Button>
  );
}

function DensityChoice({ view }: { view: TableView }) {
  const t = useText(tableText);
  return (
    <Stack
      direction="row"
      sx={{ p: 2, pb: 1.5, alignItems: 'center', justifyContent: 'space-between', gap: 1 }}
    >
      <Typography variant="subtitle2">{t.density}</Typography>
      <ChoiceButtons
        label={t.density}
        value={view.density}
        values={['comfortable', 'compact']}
        names={{ comfortable: t.comfortable, compact: t.compact }}
        onChange={view.setDensity}
      />
    </Stack>
  );
}

/** The first column stays where it is: it names the row. */
function ColumnList({ headers, view }: { headers: ReadonlyMap<string, string>; view: TableView }) {
  const t = useText(tableText);
  return (
    <Box sx={{ maxHeight: 340, overflowY: 'auto', px: 2, pb: 1 }}>
      <Typography variant="subtitle2" sx={{ mb: 0.5 }}>
        {t.columns}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {view.order.slice(1).map((id, index, all) => {
          const header = headers.get(id) ?? id;
          return (
            <Stack key={id} component="li" direction="row" sx={{ alignItems: 'center' }}>
              <FormControlLabel
                label={header}
                sx={{
                  flex: 1,
                  minWidth: 0,
                  '& .MuiFormControlLabel-label': { fontSize: 14, overflowWrap: 'anywhere' },
                }}
                control={
                  <Checkbox
                    size="small"
                    checked={view.visibility[id] === true}
                    onChange={(event) => view.show(id, event.target.checked)}
                    slotProps={{ input: { 'aria-label': t.showColumn(header) } }}
                    sx={{ p: 0.75 }}
                  />
                }
              />
              <ActionIcon
                icon="move-up"
                label={t.moveUp(header)}
                disabled={index === 0}
                onClick={() => view.move(id, -1)}
              />
              <ActionIcon
                icon="move-down"
                label={t.moveDown(header)}
                disabled={index === all.length - 1}
                onClick={() => view.move(id, 1)}
              />
            </Stack>
          );
        })}
      </Box>
    </Box>
  );
}
