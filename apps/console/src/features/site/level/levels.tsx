import { isAskedSection, type LevelName, type LevelRef } from '@breakwater/contract';
import { Alert, Stack } from '@mui/material';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useChange } from '../../../api/change.ts';
import { call, type Data } from '../../../api/client.ts';
import { FatalError } from '../../../api/fatal-error.ts';
import { useApi } from '../../../api/query.ts';
import { useDenial } from '../../../frame/denial.ts';
import { useUndo, type Undo } from '../../../frame/undo.ts';
import { useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../kit/confirm.tsx';
import { DetailPage } from '../../../kit/detail-page.tsx';
import { to } from '../../../kit/links.ts';
import { useIdParam } from '../../../kit/id-param.ts';
import { notify } from '../../../kit/toast.ts';
import { SiteChanges } from '../change/changes.tsx';
import { SiteConditionData } from '../condition-data.tsx';
import { LevelHostProvider, type LevelHost } from '../section/host.tsx';
import { SiteAccess } from '../sections/access/access.tsx';
import { SiteAdvanced } from '../sections/advanced/advanced.tsx';
import { SiteCache } from '../sections/cache/cache.tsx';
import { SiteCertificate } from '../sections/https/certificate.tsx';
import { LevelRevisions } from './revisions.tsx';
import { siteLevelText } from './level.text.ts';
import { siteText } from '../site.text.ts';
import type { TabPage } from '../../../kit/url-tabs.tsx';
import { SiteLimits } from '../sections/limits/limits.tsx';
import { SiteRealIp } from '../sections/real-ip/real-ip.tsx';
import { SiteMatchers } from '../sections/matcher/matcher.tsx';
import { SiteSystemRules } from '../sections/system-rules/system-rules.tsx';
import { SiteReferer } from '../sections/referer/referer.tsx';
import { SiteRewrite } from '../sections/rewrite/rewrite.tsx';
import { SiteGuard } from '../sections/guard/guard.tsx';
import { SiteVerify } from '../sections/verify/verify.tsx';
import { SiteSpeed } from '../sections/speed/speed.tsx';
import { DeliveryChip } from '../status.tsx';

/** What sites inherit: of the platform, of a product, of a customer. */

export function SiteDefaults() {
  return <LevelScreen level="global" id={0} />;
}
/** Rules on requests of all sites: part of the platform's defaults, with a screen of its own. */
export function WafGlobal() {
  const t = useText(siteLevelText);
  return <LevelScreen level="global" id={0} title={t.waf} only={['matchers', 'revisions']} />;
}
/** What sites of one product inherit; the id in the address is the product's. */
export function ProductDefaults() {
  return <LevelScreen level="product" id={useIdParam()} />;
}
/** What sites of one customer inherit; the id in the address is the customer's. */
export function ClientDefaults() {
  return <LevelScreen level="client" id={useIdParam()} />;
}

type Level = Data<'getSiteLevel'>;
type Touched = Data<'previewSiteLevelSection'>;

interface LevelScreenProps {
  level: LevelName;
  id: number;
  /** Of a part of a level: what it is called, and its tabs. */
  title?: string;
  only?: readonly string[];
}

/** A level's screen has the sections that levels set, in the forms that sites have; see docs/levels.md. */
function LevelScreen({ level, id, title, only }: LevelScreenProps) {
  const t = useText(siteLevelText);
  const groups = useText(siteText).tabGroups;
  const read = useApi(
    'getSiteLevel',
    { query: { level, target_id: id } },
    // Nodes answer within seconds; other changes of a level are rare.
    { refetchInterval: (last) => (last?.delivery.status === 'pending' ? 1000 : 10_000) },
  );
  const back =
    level === 'product'
      ? { target: to.productDetail({ id }), label: t.titles.product }
      : { target: to.clientDetail({ id }), label: t.titles.client };
  const name = title ?? t.titles[level];
  return (
    <DetailPage
      // The forms of another level must not keep what was entered for this one.
      key={`${level}-${id}`}
      read={read}
      label={name}
      {...(level === 'global' ? {} : { back })}
      title={(data) => (data.name === '' ? name : t.titleOf(name, data.name))}
      subtitle={(data) => <About level={data} />}
      around={(data, page) => <LevelProvider level={data}>{page}</LevelProvider>}
      tabs={() => {
        // A few fit in a line, and need no groups.
        const groupOf = (of: keyof typeof groups) => (only ? {} : { group: groups[of] });
        const tabs: TabPage[] = [
          { id: 'cache', label: t.tabs.cache, ...groupOf('speed'), content: () => <SiteCache /> },
          { id: 'speed', label: t.tabs.speed, content: () => <SiteSpeed /> },
          { id: 'https', label: t.tabs.https, ...groupOf('access'), content: () => <SiteCertificate /> },
          { id: 'access', label: t.tabs.access, content: () => <SiteAccess /> },
          { id: 'referer', label: t.tabs.referer, content: () => <SiteReferer /> },
          { id: 'limits', label: t.tabs.limits, content: () => <SiteLimits /> },
          { id: 'real-ip', label: t.tabs.realIp, content: () => <SiteRealIp /> },
          { id: 'rewrite', label: t.tabs.rewrite, content: () => <SiteRewrite /> },
          { id: 'advanced', label: t.tabs.advanced, content: () => <SiteAdvanced /> },
          {
            id: 'matchers',
            label: t.tabs.matchers,
            ...groupOf('protection'),
            content: () => <SiteMatchers />,
          },
          { id: 'guard', label: t.tabs.guard, content: () => <SiteGuard /> },
          { id: 'verify', label: t.tabs.verify, content: () => <SiteVerify /> },
          { id: 'system-rules', label: t.tabs.systemRules, content: () => <SiteSystemRules /> },
          {
            id: 'revisions',
            label: t.tabs.revisions,
            ...groupOf('operation'),
            content: () => <LevelRevisions />,
          },
        ].filter((tab) => only === undefined || only.includes(tab.id));
        return tabs as [TabPage];
      }}
    />
  );
}

function About({ level: { level, version, sites, own, delivery } }: { level: Level }) {
  const t = useText(siteLevelText);
  return (
    <Stack sx={{ gap: 1 }}>
      <span>{t.about[level]}</span>
      <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <span>
          {t.sites(sites)} · {t.set(own.length)}
        </span>
        {/* Before the first change there is no document that could be deployed. */}
        {version > 0 && <DeliveryChip delivery={delivery} />}
      </Stack>
    </Stack>
  );
}

/** Makes the forms below those of a level, and asks before each of their changes. */
function LevelProvider({ level, children }: { level: Level; children: ReactNode }) {
  const denial = useDenial();
  const { level: name, target_id } = level;
  const onSent = useSentNotice(level);
  const undoOf = useUndoOf({ level: name, target_id }, onSent);
  const [asked, setAsked] = useState<{ touched: Touched; answer: (yes: boolean) => void } | null>(null);
  // A change that no site would notice is saved without a question.
  const confirm = (touched: Touched) =>
    touched.fields.length === 0
      ? Promise.resolve(true)
      : new Promise<boolean>((answer) => setAsked({ touched, answer }));
  const denied = denial('updateSiteLevelSection');
  return (
    <LevelHostProvider
      value={{ ref: { level: name, target_id }, version: level.version, denied, onSent, undoOf, confirm }}
    >
      <SiteConditionData>{children}</SiteConditionData>
      {asked && (
        <ConfirmTouched
          touched={asked.touched}
          isTyped={name === 'global' && asked.touched.fields.includes('cc_guardian_rule.attack_until')}
          onConfirm={() => asked.answer(true)}
          onClose={() => {
            // After a confirmation this says nothing new.
            asked.answer(false);
            setAsked(null);
          }}
        />
      )}
    </LevelHostProvider>
  );
}

interface ConfirmTouchedProps {
  touched: Touched;
  /** It challenges the visitors of all sites, or no longer does. */
  isTyped: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Says how many sites change, before they do. */
function ConfirmTouched({ touched, isTyped, onConfirm, onClose }: ConfirmTouchedProps) {
  const t = useText(siteLevelText);
  return (
    <Confirm
      title={t.confirmTitle}
      body={
        <Stack sx={{ gap: 2 }}>
          <Alert severity={touched.sites === 0 ? 'info' : 'warning'}>{t.confirm(touched.sites)}</Alert>
          <SiteChanges entries={touched.diff} />
        </Stack>
      }
      action={t.save}
      {...(isTyped ? { typed: String(touched.sites) } : {})}
      destructive={false}
      onConfirm={async () => onConfirm()}
      onClose={onClose}
    />
  );
}

/** By the history of the level, as that of a site; before its first change there is none, and it sets nothing. */
function useUndoOf(query: LevelRef, onSent: LevelHost['onSent']) {
  const rollback = useChange('rollbackSiteLevel');
  const update = useChange('updateSiteLevelSection');
  return (version: number): Undo =>
    async () => {
      // Newest first: the version that is taken back, and the one before it.
      const { list } = await call('listSiteLevelRevisions', { query: { ...query, page_size: 2 } });
      const made = list.find((revision) => revision.version === version);
      // Or a newer one than both, if there is one by now: then the server refuses whichever is named (stale version).
      const other = list.find((revision) => revision.version !== version);
      // Before its first change a level has no revision to go back to: then the section that was set is emptied.
      const restore = async () => {
        if (other) return rollback.mutateAsync({ query, body: { version, revision_id: other.id } });
        if (version !== 1 || !made || made.section === 'rollback')
          throw new FatalError('a version of a level without one before it');
        const ofSection = { ...query, section: made.section };
        // What is asked level by level is no matter of fields: it says nothing, or what stands in it.
        const { value } = isAskedSection(made.section)
          ? { value: {} }
          : await call('getSiteLevelSection', { query: ofSection });
        return update.mutateAsync({ query: ofSection, body: { version, value, own: [] } });
      };
      onSent(undefined, (await restore()).version);
    };
}

/** Tells how a change fares; never green before the nodes have said so. */
function useSentNotice({ level, target_id: id, version, delivery }: Level): LevelHost['onSent'] {
  const t = useText(siteLevelText);
  const offer = useUndo();
  /** The version that was made. */
  const [sent, setSent] = useState<number | null>(null);
  const toast = `level-${level}-${id}`;
  const { status } = delivery;
  useEffect(() => {
    // The level is read again after a change: until then it has the version from before.
    if (sent === null || version < sent || status === 'pending') return;
    setSent(null);
    if (status === 'applied') notify.settled(toast, t.saved.applied);
    else if (status === 'refused') notify.failed(toast, t.saved.refused);
    else notify.settled(toast, t.saved.none);
  }, [sent, version, status, toast, t]);
  // The message waits for the nodes; nothing would end it once the screen is left.
  useEffect(() => () => notify.dismiss(toast), [toast]);
  return useCallback(
    (undo?: Undo, made = 0) => {
      setSent(made);
      notify.waiting(toast, t.saved.sent, undo && offer(undo));
    },
    [toast, t, offer],
  );
}
