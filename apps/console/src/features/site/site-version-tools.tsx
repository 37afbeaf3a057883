import { Stack } from '@mui/material';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import type { RowAction } from '../../kit/row-actions.tsx';
import { downloadText } from '../../kit/table/csv.ts';
import { notify } from '../../kit/toast.ts';
import { SiteCompare } from './site-compare.tsx';
import { useSite } from './site-context.tsx';
import { SiteCopySection } from './site-copy-section.tsx';
import { SiteImport } from './site-import.tsx';
import { siteVersionsText } from './site-versions.text.ts';

/** What can be done with a site's configuration as a whole: compare, copy, save as a file, take from one. */
export function SiteVersionTools() {
  const t = useText(siteVersionsText);
  const { site, denied } = useSite();
  const [open, setOpen] = useState<'compare' | 'copy' | 'import' | null>(null);
  const close = () => setOpen(null);
  const name = site.domains[0] ?? `#${site.id}`;
  const save = async () => {
    const file = await call('exportSite', { params: { id: site.id } });
    downloadText(`${name}.json`, 'application/json', `${JSON.stringify(file, null, 2)}\n`);
    notify.success(file.left_out.length > 0 ? t.leftOut(file.left_out.join(', ')) : t.exported);
  };
  const tools: RowAction[] = [
    { label: t.compare, icon: 'search', onClick: () => setOpen('compare') },
    { label: t.copy, icon: 'copy', onClick: () => setOpen('copy'), disabledReason: denied },
    {
      label: t.export,
      icon: 'download',
      onClick: () => void save().catch((error: Error) => notify.error(error.message)),
    },
    { label: t.import, icon: 'edit', onClick: () => setOpen('import'), disabledReason: denied },
  ];
  return (
    <>
      <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', mt: 2 }}>
        {tools.map(({ label, icon, onClick, disabledReason }) => (
          <ActionButton
            key={label}
            size="small"
            color="inherit"
            variant="outlined"
            icon={icon}
            onClick={onClick}
            disabledReason={disabledReason}
          >
            {label}
          </ActionButton>
        ))}
      </Stack>
      {open === 'compare' && <SiteCompare onClose={close} />}
      {open === 'copy' && <SiteCopySection onClose={close} />}
      {open === 'import' && <SiteImport onClose={close} />}
    </>
  );
}
