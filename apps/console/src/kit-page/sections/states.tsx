import { Button, Card, Stack } from '@mui/material';
import { useText } from '../../i18n/text.ts';
import { ActionButton, ActionIcon } from '../../kit/action-button.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { StaleAlert } from '../../kit/form/form-parts.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Meter } from '../../kit/meter.tsx';
import { StatusChip, type Tone } from '../../kit/status-chip.tsx';
import { notify } from '../../kit/toast.ts';
import { Stories, Story, StoryGrid } from '../story.tsx';
import { storyText } from './story.text.ts';

const tones: Tone[] = ['success', 'warning', 'error', 'info', 'neutral'];
const waiting = { data: undefined, error: null, isFetching: true, refetch: () => undefined };

export function StatesSection() {
  const t = useText(storyText);
  return (
    <Stories>
      <Story title={t.chips}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
          {tones.map((tone) => (
            <StatusChip key={tone} tone={tone} label={t.states.normal} />
          ))}
          <StatusChip tone="info" label={t.states.waiting} hint={t.long} busy />
        </Stack>
      </Story>
      <Story title={t.figures}>
        <FigureGrid columns={5}>
          <FigureCard label={t.bandwidth} value="2.45 Gbps" icon="traffic" />
          <FigureCard label={t.requests} value="123,456,789,012" icon="log" tone="info" />
          <FigureCard label={t.hitRate} value={undefined} icon="hit" tone="warning" />
          <FigureCard label={t.load} value="1,234,567.89 Gbps" icon="pulse" tone="secondary" />
          <FigureCard label={t.requests} value="0" icon="fault" tone="error" detail="0.0%" />
        </FigureGrid>
      </Story>
      <Story title={t.meters}>
        <Card sx={{ p: 3, display: 'flex', gap: 3, flexWrap: 'wrap' }}>
          {[0, 0.42, 0.85, 0.99].map((share) => (
            <Meter key={share} label={t.load} share={share} />
          ))}
        </Card>
      </Story>
      <Story title={t.buttons}>
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
          <ActionButton variant="contained" icon="add">
            {t.add}
          </ActionButton>
          <ActionButton variant="contained" color="error" icon="delete">
            {t.remove}
          </ActionButton>
          <ActionButton variant="outlined" color="inherit" icon="refresh">
            {t.refresh}
          </ActionButton>
          <ActionButton variant="contained" icon="edit" disabledReason={t.denied}>
            {t.edit}
          </ActionButton>
          <ActionButton variant="contained" loading>
            {t.saved}
          </ActionButton>
          <ActionIcon icon="edit" label={t.edit} onClick={() => undefined} />
        </Stack>
      </Story>
      <StoryGrid>
        <Story title={t.emptyState}>
          <Card>
            <EmptyState
              icon="site"
              title={t.emptyTitle}
              hint={t.emptyHint}
              action={<Button variant="contained">{t.add}</Button>}
            />
          </Card>
        </Story>
        <Story title={t.loading}>
          <Card>
            <Loaded read={waiting}>{() => null}</Loaded>
          </Card>
        </Story>
        <Story title={t.error}>
          <Stack sx={{ gap: 2 }}>
            <Loaded read={{ ...waiting, isFetching: false, error: { message: t.failure } }}>
              {() => null}
            </Loaded>
            <StaleAlert busy={false} onReload={() => undefined} />
          </Stack>
        </Story>
        <Story title={t.notices}>
          <Stack direction="row" sx={{ gap: 1 }}>
            <Button variant="outlined" onClick={() => notify.success(t.saved)}>
              {t.success}
            </Button>
            <Button variant="outlined" color="error" onClick={() => notify.error(t.failure)}>
              {t.error}
            </Button>
          </Stack>
        </Story>
      </StoryGrid>
    </Stories>
  );
}
