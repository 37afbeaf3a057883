import { useChange } from '../../../api/change.ts';
import { useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { notify } from '../../../kit/toast.ts';
import { siteDomainText } from './domain.text.ts';

interface GrantDialogProps {
  siteId: number;
  domain: string;
  onClose: () => void;
}

/** Asks before a name that somebody else claims too becomes this site's. */
export function GrantDialog({ siteId, domain, onClose }: GrantDialogProps) {
  const t = useText(siteDomainText);
  const change = useChange('grantDomain');
  return (
    <Confirm
      title={t.grantTitle}
      body={t.grantBody(domain)}
      action={t.grant}
      // Another customer's site may lose the name by it, so it is typed out, one at a time.
      typed={domain}
      destructive={false}
      onConfirm={async () => {
        await change.mutateAsync({ params: { id: siteId }, body: { domain } });
        notify.success(t.granted(domain));
      }}
      onClose={onClose}
    />
  );
}
