import type { Schedule } from '@breakwater/contract';
import { Alert, Box, Stack, Typography } from '@mui/material';
import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { formatSeconds } from '../../kit/format.ts';
import { kitText } from '../../kit/kit.text.ts';
import { InfoDrawer } from '../../kit/info-drawer.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { StatusChip } from '../../kit/status-chip.tsx';
import { Time } from '../../kit/time.tsx';
import { taskText } from './task.text.ts';

/** Work by the clock: when each runs, and how it last ended. */
export function TaskSchedules({ onClose }: { onClose: () => void }) {
  const t = useText(taskText).schedules;
  const schedules = useApi('getSchedules', {}, { refetchInterval: 5000 });
  return (
    <InfoDrawer title={t.title} onClose={onClose}>
      <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
        {t.hint}
      </Typography>
      <Loaded read={schedules}>
        {(data) => (
          <Stack sx={{ gap: 1.5 }}>
            {data.schedules.map((one) => (
              <ScheduleCard key={one.name} schedule={one} />
            ))}
          </Stack>
        )}
      </Loaded>
    </InfoDrawer>
  );
}

function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const t = useText(taskText).schedules;
  const { aside } = useText(kitText);
  const { name, every_seconds, running, next_at, last_at, last_milliseconds, last_error } = schedule;
  return (
    <Box sx={{ p: 2, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography variant="subtitle2" sx={{ flex: 1 }}>
          {t.names[name]}
        </Typography>
        {running ? (
          <StatusChip tone="info" label={t.running} busy />
        ) : last_at === null ? (
          <StatusChip tone="neutral" label={t.never} />
        ) : (
          <StatusChip
            tone={last_error === null ? 'success' : 'error'}
            label={last_error === null ? t.good : t.failed}
          />
        )}
      </Stack>
      <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {t.every(every_seconds)}
        {last_at !== null && (
          <>
            {' · '}
            {t.last} <Time at={last_at} relative />
            {last_milliseconds !== null && aside(t.took(formatSeconds(last_milliseconds / 1000)))}
          </>
        )}
        {!running && (
          <>
            {' · '}
            {t.next} <Time at={next_at} />
          </>
        )}
      </Typography>
      {last_error !== null && (
        <Alert severity="error" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {last_error}
        </Alert>
      )}
    </Box>
  );
}
