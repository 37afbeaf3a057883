import { expect, it } from 'vitest';
import { linksOf } from './visit-links.ts';

const base = 'https://www.example.com/video/list';

it('reads sitemaps, their indexes, and what XML writes otherwise', () => {
  const sitemap = `<?xml version="1.0"?><urlset>
    <url><loc> https://www.example.com/?a=1&amp;b=2 </loc></url><url><loc><![CDATA[/c&d]]></loc></url>
    <url><loc>https://www.example.com/&#x65;</loc></url><url><loc>ftp://x/</loc></url><url><loc>/c&amp;d</loc></url></urlset>`;
  expect(linksOf('sitemap', sitemap, base)).toEqual({
    kind: 'content',
    urls: ['https://www.example.com/?a=1&b=2', 'https://www.example.com/c&d', 'https://www.example.com/e'],
  });
  const index = '<sitemapindex xmlns="x"><sitemap><loc>/one.xml.gz</loc></sitemap></sitemapindex>';
  expect(linksOf('sitemap', index, base)).toEqual({
    kind: 'sitemap',
    urls: ['https://www.example.com/one.xml.gz'],
  });
});

it('reads playlists with their keys and initial parts', () => {
  const playlist = `#EXTM3U\r\n#EXT-X-KEY:METHOD=AES-128,URI="key?x=1",IV=0x1\n#EXT-X-MAP:URI="/init.mp4"\n#EXTINF:4,\none.ts\n\n
#EXTINF:4,URI="no"\n../two.ts?a\n#EXT-X-ENDLIST`;
  expect(linksOf('playlist', playlist, base)).toEqual({
    kind: 'piece',
    urls: [
      'https://www.example.com/video/key?x=1',
      'https://www.example.com/init.mp4',
      'https://www.example.com/video/one.ts',
      'https://www.example.com/two.ts?a',
    ],
  });
});

it('reads no more than an answer holds', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `${index}.ts`).join('\n');
  expect(linksOf('playlist', many, base).urls).toHaveLength(10_000);
  const long = Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(3000)}`).join('\n');
  expect(linksOf('playlist', long, base).urls.length).toBeLessThan(400);
});
