import { Typography } from '@mui/material';
import { useChange } from '../../../../api/change.ts';
import { useApi } from '../../../../api/query.ts';
import { ServedFaults } from '../../../../domain/served-faults.tsx';
import { useText } from '../../../../i18n/text.ts';
import { kitText } from '../../../../kit/kit.text.ts';
import { ActionButton } from '../../../../kit/action-button.tsx';
import { Loaded } from '../../../../kit/loaded.tsx';
import { Section } from '../../../../kit/page.tsx';
import { Time } from '../../../../kit/time.tsx';
import { notify } from '../../../../kit/toast.ts';
import { useSite } from '../../context.tsx';
import { servedText } from './served.text.ts';

/** Checks are made by the control plane in their own time; this only looks at what came of them. */
const refreshMs = 10_000;

/** Whether every node serves what the site says; nothing for a site without certificates. */
export function ServedCertificates() {
  const t = useText(servedText);
  const kit = useText(kitText);
  const { site, denied } = useSite();
  const check = useApi('getServedCheck', { params: { id: site.id } }, { refetchInterval: refreshMs });
  const faults = useApi('listServedFaults', { query: { site_id: site.id } }, { refetchInterval: refreshMs });
  const ask = useChange('checkServedCertificates');
  const { checked_at: last = null, due_at: next = null, staple_until: stapled = null } = check.data ?? {};
  // The site is in no plan of checks, as it has no certificates.
  if (next === null) return null;
  return (
    <Section
      title={t.title}
      hint={t.hint}
      actions={
        <ActionButton
          icon="refresh"
          variant="outlined"
          color="inherit"
          disabledReason={denied}
          onClick={() =>
            ask.mutate(
              { params: { id: site.id } },
              {
                onSuccess: () => notify.success(t.asked),
                onError: (error) => notify.error(error.message),
              },
            )
          }
        >
          {t.now}
        </ActionButton>
      }
    >
      <Loaded read={faults}>
        {({ list }) => (
          <>
            <Typography variant="body2">
              {last === null ? (
                t.never
              ) : (
                <>
                  {list.length === 0 && `${t.right} · `}
                  {t.last + kit.colon}
                  <Time at={last} relative />
                  {stapled !== null && (
                    <>
                      {' · '}
                      {t.staples + kit.colon}
                      <Time at={stapled} />
                    </>
                  )}
                </>
              )}
            </Typography>
            <ServedFaults faults={list} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
