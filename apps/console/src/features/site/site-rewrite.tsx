import { contentRewrite, type ContentRewrite } from '@breakwater/contract';
import { Suspense, lazy } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import { useApi } from '../../api/query.ts';
import { Loaded } from '../../kit/loaded.tsx';
import { SectionForm, useSectionForm, useSectionSave } from './section-form.tsx';
import { useSite } from './site-context.tsx';
import { BodyRules } from './site-rewrite-body.tsx';
import { HeaderRules } from './site-rewrite-headers.tsx';
import { Redirects, UrlRewrites } from './site-rewrite-urls.tsx';

export type RewriteControl = Control<z.input<typeof contentRewrite>, unknown, ContentRewrite>;

/** With the policy that it runs, it is loaded once there is a rule to try. */
const RewritePreview = lazy(() =>
  import('./site-rewrite-preview.tsx').then((module) => ({ default: module.RewritePreview })),
);

export function SiteRewrite() {
  const { site } = useSite();
  const config = useApi('getContentRewrite', { query: { site_id: site.id } });
  return <Loaded read={config}>{(data) => <RewriteForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface RewriteFormProps {
  latest: { version: number; value: ContentRewrite };
  refetch: ReturnType<typeof useApi<'getContentRewrite'>>['refetch'];
}

function RewriteForm({ latest, refetch }: RewriteFormProps) {
  const { site } = useSite();
  const save = useSectionSave('updateContentRewrite');
  const section = useSectionForm(
    contentRewrite,
    latest,
    (body) => save({ query: { site_id: site.id }, body }),
    refetch,
  );
  const { control } = section.form;
  const [redirects, rewrites] = useWatch({ control, name: ['redirects', 'url_rewrites'] });
  const hasUrlRules = (redirects?.length ?? 0) + (rewrites?.length ?? 0) > 0;
  return (
    <SectionForm section={section}>
      <Redirects control={control} />
      <UrlRewrites control={control} />
      {hasUrlRules && (
        <Suspense>
          <RewritePreview control={control} />
        </Suspense>
      )}
      <HeaderRules control={control} name="response_headers" />
      <HeaderRules control={control} name="request_headers" />
      <BodyRules control={control} />
    </SectionForm>
  );
}
