import { queryPolicy, sliceSizes, type CacheRule } from '@breakwater/contract';
import { Box, Stack, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { useText } from '../../../../i18n/text.ts';
import {
  DurationInput,
  NumberInput,
  SelectInput,
  SwitchInput,
  TagsInput,
} from '../../../../kit/fields/inputs.tsx';
import { BytesInput } from '../../../../kit/fields/amount-inputs.tsx';
import { fieldGrid } from '../../section/field-grid.ts';
import { StatusTtls } from './statuses.tsx';
import type { CacheControl } from './cache.tsx';
import { siteCacheText } from './cache.text.ts';

/** `rule` is the row as it is in the form; `index` its place there, by which its fields are named. */
interface MoreProps {
  control: CacheControl;
  index: number;
  rule: CacheRule;
}

/** What few rules need. */
export function MoreOfRule(props: MoreProps) {
  const t = useText(siteCacheText);
  const { control, index, rule } = props;
  // What is not stored has neither key nor lifetime; only how it is matched is left.
  if (rule.action === 'bypass')
    return (
      <SwitchInput
        control={control}
        name={`rules.${index}.case_insensitive`}
        label={t.insensitive}
        hint={t.insensitiveHint}
      />
    );
  return (
    <Stack sx={{ gap: 3 }}>
      <Matching {...props} />
      <Storing {...props} />
      <Serving {...props} />
    </Stack>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack role="group" aria-label={title} sx={{ gap: 2 }}>
      <Typography variant="subtitle2">{title}</Typography>
      {children}
    </Stack>
  );
}

/** What makes requests share a stored answer: the cache key, and the cookies that bypass the cache. */
function Matching({ control, index, rule }: MoreProps) {
  const t = useText(siteCacheText);
  const queries = queryPolicy.options.map((value) => ({ value, label: t.queries[value] }));
  // Names that were entered stay with the rule while another policy is tried, and are not shown as if they counted.
  const isNamed = rule.query_policy === 'include' || rule.query_policy === 'exclude';
  return (
    <Group title={t.matching}>
      <Box sx={fieldGrid}>
        <SelectInput
          control={control}
          name={`rules.${index}.query_policy`}
          label={t.query}
          options={queries}
        />
        {isNamed && (
          <TagsInput
            control={control}
            name={`rules.${index}.query_names`}
            label={t.names}
            {...(rule.query_policy === 'exclude' ? { hint: t.excludedHint } : {})}
          />
        )}
        <TagsInput
          control={control}
          name={`rules.${index}.key_headers`}
          label={t.keyHeaders}
          hint={t.keyHeadersHint}
          placeholder="accept-language"
        />
        <TagsInput
          control={control}
          name={`rules.${index}.key_cookies`}
          label={t.keyCookies}
          hint={t.keyCookiesHint}
          placeholder="lang"
        />
        <TagsInput
          control={control}
          name={`rules.${index}.no_cache_cookies`}
          label={t.aroundCookies}
          hint={t.aroundCookiesHint}
          placeholder="session"
        />
      </Box>
      <Box sx={fieldGrid}>
        <SwitchInput
          control={control}
          name={`rules.${index}.vary_device`}
          label={t.device}
          hint={t.deviceHint}
        />
        {/* A suffix is never told by its case, and a rule for everything compares nothing. */}
        {rule.type !== 'all' && rule.type !== 'suffix' && (
          <SwitchInput
            control={control}
            name={`rules.${index}.case_insensitive`}
            label={t.insensitive}
            hint={t.insensitiveHint}
          />
        )}
      </Box>
    </Group>
  );
}

/** Parts have one of a few sizes, since nginx has a location in its configuration for each (`sliceSizes`). */
const mebibyte = 1_048_576;

/** What is stored, and for how long. What the origin decides (`follow_origin`) has no lifetimes here. */
function Storing({ control, index, rule }: MoreProps) {
  const t = useText(siteCacheText);
  const sizes = sliceSizes.map((value) => ({
    value,
    label: value === 0 ? t.whole : `${value / mebibyte} MiB`,
  }));
  return (
    <Group title={t.storing}>
      {rule.action === 'cache' && <StatusTtls control={control} index={index} />}
      <Box sx={fieldGrid}>
        <BytesInput
          control={control}
          name={`rules.${index}.min_size_bytes`}
          label={t.minSize}
          hint={t.sizeHint}
        />
        <BytesInput
          control={control}
          name={`rules.${index}.max_size_bytes`}
          label={t.maxSize}
          hint={t.sizeHint}
        />
        <NumberInput
          control={control}
          name={`rules.${index}.min_uses`}
          label={t.minUses}
          hint={t.minUsesHint}
        />
        <SelectInput
          control={control}
          name={`rules.${index}.slice_bytes`}
          label={t.slice}
          hint={t.sliceHint}
          options={sizes}
        />
      </Box>
      <Box sx={fieldGrid}>
        <SwitchInput control={control} name={`rules.${index}.lock`} label={t.lock} hint={t.lockHint} />
        {rule.type === 'suffix' && rule.action === 'cache' && (
          <SwitchInput
            control={control}
            name={`rules.${index}.match_content_type`}
            label={t.matchType}
            hint={t.matchTypeHint}
          />
        )}
        {rule.action === 'cache' && (
          <SwitchInput
            control={control}
            name={`rules.${index}.ignore_cache_control`}
            label={t.ignoreControl}
            hint={t.ignoreControlHint}
          />
        )}
        <SwitchInput
          control={control}
          name={`rules.${index}.ignore_set_cookie`}
          label={t.ignoreCookie}
          hint={t.ignoreCookieHint}
        />
      </Box>
    </Group>
  );
}

/** What visitors are given of what is stored: for how long browsers keep it, and when it may be stale (RFC 5861). */
function Serving({ control, index }: MoreProps) {
  const t = useText(siteCacheText);
  return (
    <Group title={t.serving}>
      <Box sx={fieldGrid}>
        <DurationInput
          control={control}
          name={`rules.${index}.browser_ttl_seconds`}
          label={t.browserTtl}
          hint={t.browserTtlHint}
        />
        <DurationInput
          control={control}
          name={`rules.${index}.stale_if_error_seconds`}
          label={t.staleError}
          hint={t.staleErrorHint}
        />
        <DurationInput
          control={control}
          name={`rules.${index}.stale_while_revalidate_seconds`}
          label={t.staleUpdate}
          hint={t.staleUpdateHint}
        />
      </Box>
    </Group>
  );
}
