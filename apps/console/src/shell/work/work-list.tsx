import type { WorkItem } from '@breakwater/contract';
import { Box, LinearProgress, List, ListItem, Popover, Stack, Typography } from '@mui/material';
import { useMayOpen } from '../../api/account.ts';
import type { Data } from '../../api/client.ts';
import { TaskState } from '../../features/task/task-status.tsx';
import { taskText } from '../../features/task/task.text.ts';
import { useTaskTitle } from '../../domain/task-title.ts';
import { useText } from '../../i18n/text.ts';
import { to, type Target } from '../../kit/links.ts';
import { LinkButton, TextLink } from '../../kit/router-link.tsx';
import { Time } from '../../kit/time.tsx';
import { isOpen } from './work-button.tsx';
import { workText } from './work.text.ts';
import { readable } from '../../kit/readable.tsx';
import { readableDomains } from '../../kit/domain-name.ts';

interface WorkListProps {
  anchor: HTMLElement;
  work: Data<'getWork'>;
  onClose: () => void;
}

/** What is under way and what ended lately, each a click away. */
export function WorkList({ anchor, work: { open, list }, onClose }: WorkListProps) {
  const t = useText(workText);
  const mayOpen = useMayOpen();
  const more = open - list.filter(isOpen).length;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      slotProps={{
        paper: { role: 'dialog', 'aria-label': t.title, sx: { width: 'min(380px, 94vw)' } } as object,
      }}
    >
      <Typography variant="subtitle1" component="h2" sx={{ px: 2, pt: 2 }}>
        {t.title}
      </Typography>
      {list.length === 0 && (
        <Typography variant="body2" sx={{ p: 2, color: 'text.secondary' }}>
          {t.none}
        </Typography>
      )}
      {/* Where a click leads is elsewhere. */}
      <List sx={{ maxHeight: 420, overflowY: 'auto' }} onClick={(event) => leads(event) && onClose()}>
        {list.map((item) => (
          <WorkRow key={item.id} item={item} />
        ))}
      </List>
      {more > 0 && (
        <Typography variant="body2" sx={{ px: 2, pb: 1, color: 'text.secondary' }}>
          {t.more(more)}
        </Typography>
      )}
      {mayOpen('tasks') && (
        <Box sx={{ p: 1, borderTop: 1, borderColor: 'divider' }} onClick={onClose}>
          <LinkButton target={to.tasks()} color="inherit" size="small">
            {t.all}
          </LinkButton>
        </Box>
      )}
    </Popover>
  );
}

const leads = ({ target }: React.MouseEvent) => (target as Element).closest('a') !== null;

function WorkRow({ item }: { item: WorkItem }) {
  const t = useText(workText);
  const { types } = useText(taskText);
  const tasks = useMayOpen()('tasks');
  const target = targetOf(item, tasks);
  const { total, done, failed } = item;
  const title = useTaskTitle()(item);
  const ended = done + failed;
  return (
    <ListItem sx={{ display: 'block', py: 1 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between' }}>
        <Typography component="div" variant="body2" sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          {target ? <TextLink target={target}>{title}</TextLink> : readable(title)}
        </Typography>
        <TaskState task={item} />
      </Stack>
      <Typography variant="body2" component="div" sx={{ color: 'text.secondary' }}>
        {types[item.type]}
        {total > 0 && ` · ${t.progress(ended, total)}`}
        {failed > 0 && ` · ${t.failedParts(failed)}`}
        {' · '}
        <Time at={item.finished_at ?? item.created_at} relative />
      </Typography>
      {isOpen(item) && total > 0 && (
        <LinearProgress
          variant="determinate"
          aria-label={readableDomains(title)}
          value={(100 * ended) / total}
          color={failed > 0 ? 'error' : 'primary'}
          sx={{ mt: 0.75, borderRadius: 1 }}
        />
      )}
    </ListItem>
  );
}

/** Where one sees more of it: its own page, the task with its parts, else what it is about. */
function targetOf(
  { id, type, object_kind: kind, object_id: of }: WorkItem,
  tasks: boolean,
): Target | undefined {
  if (type === 'site_batch') return to.siteBatchDetail({ id });
  if (type === 'data_export') return to.dataExports();
  if (tasks) return to.tasks({ open: id });
  if (kind === 'site' && of !== null) return to.siteDetail({ id: of }, { tab: 'delivery' });
  if (kind === 'order' && of !== null) return to.orderDetail({ id: of });
  if (kind === 'site_prefetch' && of !== null) return to.sitePrefetchDetail({ id: of });
  if (kind === 'site_refresh') return to.siteRefreshes();
  if (kind === 'site_reject') return to.siteRejects();
  if (kind === 'domain_name_blacklist') return to.blacklistHits();
  if (kind === 'certificate') return to.certificates();
  if (kind === 'certificate_order') return to.certificateOrders();
  return kind === 'address_list' ? to.addressLists() : undefined;
}
