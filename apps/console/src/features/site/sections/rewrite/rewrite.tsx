import { contentRewrite, type ContentRewrite } from '@breakwater/contract';
import { Suspense } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import type * as z from 'zod';
import type { Data } from '../../../../api/client.ts';
import type { useFormRead } from '../../../../api/form-read.ts';
import { Loaded } from '../../../../kit/loaded.tsx';
import { SectionForm, useSectionForm } from '../../section/form.tsx';
import { useInherited, useInheritedSave } from '../../section/host.tsx';
import { BodyRules } from './body.tsx';
import { HeaderRules } from './headers.tsx';
import { Redirects, UrlRewrites } from './urls.tsx';
import { lazyPart } from '../../../../kit/lazy-part.tsx';

export type RewriteControl = Control<z.input<typeof contentRewrite>, unknown, ContentRewrite>;

/** With the policy that it runs, it is loaded once there is a rule to try. */
const RewritePreview = lazyPart(() => import('./preview.tsx').then((module) => module.RewritePreview));

/** The tab “Rewrites”, of a site or of a level: redirects, URL rewrites, header fields and content. */
export function SiteRewrite() {
  const config = useInherited('content_rewrite');
  return <Loaded read={config}>{(data) => <RewriteForm latest={data} refetch={config.refetch} />}</Loaded>;
}

interface RewriteFormProps {
  latest: Data<'getContentRewrite'>;
  refetch: ReturnType<typeof useFormRead<'getContentRewrite'>>['refetch'];
}

function RewriteForm({ latest, refetch }: RewriteFormProps) {
  const save = useInheritedSave('content_rewrite');
  const section = useSectionForm(contentRewrite, latest, save, refetch, 'content_rewrite');
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
