import type { SiteSecurity } from '@breakwater/contract/site-config/site-security';

/** How large the head of a request may be: what the limits of a site say of it. */
export type HeadLimits = Pick<
  SiteSecurity,
  'header_lines_max' | 'header_line_bytes_max' | 'header_bytes_max' | 'url_bytes_max'
>;

/** Nothing where none is set. */
export function headLimitsOf(limits: HeadLimits): HeadLimits | undefined {
  const isSet =
    limits.header_lines_max !== undefined ||
    limits.header_line_bytes_max !== undefined ||
    limits.header_bytes_max !== undefined ||
    limits.url_bytes_max !== undefined;
  return isSet ? limits : undefined;
}

export type HeadProblem = 'url_too_long' | 'header_too_large';

/** `lines`: of each line of the header the bytes of its name and its value. */
export function headProblem(limits: HeadLimits, target: string, lines: number[]): HeadProblem | undefined {
  const { url_bytes_max: urlMax, header_lines_max: linesMax } = limits;
  if (urlMax !== undefined && target.length > urlMax) return 'url_too_long';
  if (linesMax !== undefined && lines.length > linesMax) return 'header_too_large';
  const { header_line_bytes_max: lineMax, header_bytes_max: allMax } = limits;
  let sum = 0;
  for (const bytes of lines) {
    if (lineMax !== undefined && bytes > lineMax) return 'header_too_large';
    sum += bytes;
  }
  return allMax !== undefined && sum > allMax ? 'header_too_large' : undefined;
}
