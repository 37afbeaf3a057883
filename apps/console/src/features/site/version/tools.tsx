import type { SiteFile } from '@breakwater/contract';
import { Stack } from '@mui/material';
import { useState } from 'react';
import { fetchFile } from '../../../api/client.ts';
import { useText } from '../../../i18n/text.ts';
import { ActionButton } from '../../../kit/action-button.tsx';
import { kitText } from '../../../kit/kit.text.ts';
import type { RowAction } from '../../../kit/row-actions.tsx';
import { saveFile } from '../../../kit/save-file.ts';
import { notify } from '../../../kit/toast.ts';
import { SiteCompare } from './compare.tsx';
import { useSite } from '../context.tsx';
import { SiteCopySection } from './copy-section.tsx';
import { SiteImport } from './import.tsx';
import { siteVersionsText } from './versions.text.ts';

/** What can be done with a site's configuration as a whole: compare, copy, save as a file, take from one. */
export function SiteVersionTools() {
  const t = useText(siteVersionsText);
  const kit = useText(kitText);
  const { site, denied } = useSite();
  const [open, setOpen] = useState<'compare' | 'copy' | 'import' | null>(null);
  const close = () => setOpen(null);
  const save = async () => {
    const { name, content } = await fetchFile('exportSite', { params: { id: site.id } });
    // Said at once, and not when somebody misses it: secrets and certificates are not in the file.
    const { left_out: leftOut } = JSON.parse(await content.text()) as SiteFile;
    saveFile(name, content);
    notify.success(leftOut.length > 0 ? t.leftOut(leftOut.join(', ')) : t.exported);
  };
  const tools: RowAction[] = [
    { label: t.compare, icon: 'search', onClick: () => setOpen('compare') },
    { label: t.copy, icon: 'copy', onClick: () => setOpen('copy'), disabledReason: denied },
    {
      label: t.export,
      icon: 'download',
      onClick: () => void save().catch((error: Error) => notify.refused(error.message, kit.failed.export)),
    },
    { label: t.import, icon: 'open', onClick: () => setOpen('import'), disabledReason: denied },
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
