import type { Certificate } from '@breakwater/contract';
import { Button, Dialog, DialogActions, DialogContent, DialogContentText, DialogTitle } from '@mui/material';
import { Fragment, useId, useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { Data } from '../../api/client.ts';
import { useRowDialog } from '../../frame/row-dialog.tsx';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../kit/confirm.tsx';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { notify } from '../../kit/toast.ts';
import { certificateText } from './certificate.text.ts';

type Kept = Data<'removeCertificates'>['kept'];

/** Removing many at once; those that sites use stay, and it is said which sites those are. */
export function useCertificatesRemoval() {
  const t = useText(certificateText);
  const remove = useChange('removeCertificates');
  const [kept, setKept] = useState<Kept>([]);
  const { action, dialog } = useRowDialog<readonly Certificate[]>({
    route: 'removeCertificates',
    label: t.removeMany,
    icon: 'delete',
    destructive: true,
    render: (rows, close) => (
      <Confirm
        title={t.removeManyTitle}
        body={t.removeManyBody(rows.length)}
        action={t.removeMany}
        onConfirm={async () => {
          const certificate_ids = rows.map(({ id }) => id);
          const answer = await remove.mutateAsync({ body: { certificates: { certificate_ids } } });
          if (answer.removed > 0) notify.success(t.removedMany(answer.removed));
          // Those that are in use are no failure of the rest: what could be removed has been, and these are told after the question closed.
          setKept(answer.kept);
        }}
        onClose={close}
      />
    ),
  });
  return {
    action,
    dialog: (
      <>
        {dialog}
        {kept.length > 0 && <KeptCertificates kept={kept} onClose={() => setKept([])} />}
      </>
    ),
  };
}

function KeptCertificates({ kept, onClose }: { kept: Kept; onClose: () => void }) {
  const t = useText(certificateText);
  const titleId = useId();
  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t.keptTitle}</DialogTitle>
      <DialogContent>
        <DialogContentText component="div">
          {t.keptBody}
          <ul>
            {kept.map(({ id, name, sites, site_count: count }) => (
              <li key={id}>
                {name}:{' '}
                {sites.map((site, index) => (
                  <Fragment key={site.id}>
                    {index > 0 && ', '}
                    <TextLink target={to.siteDetail({ id: site.id })}>{site.domain}</TextLink>
                  </Fragment>
                ))}
                {count > sites.length && ` ${t.keptMore(count)}`}
              </li>
            ))}
          </ul>
        </DialogContentText>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t.understood}</Button>
      </DialogActions>
    </Dialog>
  );
}
