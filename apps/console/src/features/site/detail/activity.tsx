import { useActivity } from '../../../api/activity.ts';
import { ActivityCard } from '../../../domain/activity.tsx';
import { useSite } from '../context.tsx';

export function SiteActivity() {
  const { site } = useSite();
  return <ActivityCard read={useActivity('site', site.id)} />;
}
