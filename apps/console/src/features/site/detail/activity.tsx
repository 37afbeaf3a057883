import { useActivity } from '../../../api/activity.ts';
import { useText } from '../../../i18n/text.ts';
import { ActivityCard } from '../../../domain/activity.tsx';
import { useSite } from '../context.tsx';
import { siteText } from '../site.text.ts';

export function SiteActivity() {
  const { site } = useSite();
  const { sections } = useText(siteText).revisions;
  return <ActivityCard read={useActivity('site', site.id)} sections={sections} />;
}
