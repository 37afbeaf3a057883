import { useApi } from '../../api/query.ts';
import { useText } from '../../i18n/text.ts';
import { FigureCard, FigureGrid } from '../../kit/figure-card.tsx';
import { formatCount } from '../../kit/format.ts';
import { to } from '../../kit/links.ts';
import { TextLink } from '../../kit/router-link.tsx';
import { taskText } from './task.text.ts';

/** How many tasks there are in each state, above the list, whatever its filters say. */
export function TaskFigures() {
  const t = useText(taskText).figures;
  const stats = useApi('getTaskStats', {}, { refetchInterval: 5000 }).data;
  const all = stats?.statuses;
  return (
    <FigureGrid columns={4}>
      <FigureCard
        label={t.open}
        value={all && formatCount(all.pending + all.running)}
        detail={
          all && <TextLink target={to.tasks({ status: 'running' })}>{t.openDetail(all.running)}</TextLink>
        }
        icon="clock"
        tone="info"
      />
      <FigureCard
        label={t.failedToday}
        value={stats && formatCount(stats.failed_today)}
        detail={all && <TextLink target={to.tasks({ status: 'failed' })}>{t.failedAll(all.failed)}</TextLink>}
        icon="fault"
        tone={stats && stats.failed_today > 0 ? 'error' : 'primary'}
      />
      <FigureCard label={t.done} value={all && formatCount(all.done)} icon="task" />
      <FigureCard
        label={t.cancelled}
        value={all && formatCount(all.cancelled)}
        icon="close"
        tone="secondary"
      />
    </FigureGrid>
  );
}
