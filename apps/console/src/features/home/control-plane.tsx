import { Alert, Box, Stack, Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { formatBytes } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { Meter } from '../../kit/meter.tsx';
import { Section } from '../../kit/page.tsx';
import { LinkButton } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';
import { homeText } from './home.text.ts';

const refreshMs = 10_000;

/** How the machine of the control plane is: with its disk full nothing is stored any more. */
export function ControlPlane() {
  const t = useText(homeText);
  const info = useApi('getSystemInfo', {}, { refetchInterval: refreshMs });
  return (
    <Section title={t.controlPlane} actions={<LinkButton target={to.logStore()}>{t.logStore}</LinkButton>}>
      <Loaded read={info}>
        {({
          version,
          started_at,
          database_bytes,
          cpu_share,
          console_faults,
          console_fault_at,
          ...machine
        }) => (
          <Stack sx={{ gap: 2 }}>
            <Box
              sx={{
                display: 'grid',
                gap: 2,
                alignItems: 'end',
                gridTemplateColumns: { sm: 'repeat(3, minmax(0, 1fr))' },
              }}
            >
              <Meter label="CPU" share={cpu_share} />
              <Meter
                label={t.memory}
                share={machine.memory_used / machine.memory_total}
                detail={t.ofTotal(formatBytes(machine.memory_used), formatBytes(machine.memory_total))}
              />
              <Meter
                label={t.disk}
                share={machine.disk_used / machine.disk_total}
                detail={t.ofTotal(formatBytes(machine.disk_used), formatBytes(machine.disk_total))}
              />
            </Box>
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {t.version(version)} · {t.runningSince} <Time at={started_at} relative /> ·{' '}
              {t.database(formatBytes(database_bytes))}
            </Typography>
            {/* Failures in consoles of anyone: somebody should look into the server's log. */}
            {console_faults > 0 && (
              <Alert severity="warning">
                {t.consoleFaults(console_faults)} <Time at={console_fault_at} relative />
              </Alert>
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
