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

it.each([
  [
    'numbers of one length',
    `<SegmentTemplate initialization="$RepresentationID$/init.mp4" media="$RepresentationID$/$Number%03d$.m4s" timescale="1000" duration="4000" startNumber="5"/>`,
    ['v/init.mp4', 'v/005.m4s', 'v/006.m4s', 'v/007.m4s'],
  ],
  [
    'a timeline',
    `<SegmentTemplate media="$Bandwidth$-$Time$.m4s?a=1&amp;b=$$"><SegmentTimeline><S t="0" d="2" r="1"/><S d="3"/><S t="7" d="2" r="-1"/></SegmentTimeline></SegmentTemplate>`,
    ['9-0.m4s?a=1&b=$', '9-2.m4s?a=1&b=$', '9-4.m4s?a=1&b=$', '9-7.m4s?a=1&b=$', '9-9.m4s?a=1&b=$'],
  ],
  [
    'a list',
    `<SegmentList><Initialization sourceURL="i.mp4"/><SegmentURL media="one.m4s"/><SegmentURL media='two.m4s'/></SegmentList>`,
    ['i.mp4', 'one.m4s', 'two.m4s'],
  ],
  ['one file', `<BaseURL>whole.mp4</BaseURL><SegmentBase indexRange="0-9"/>`, ['whole.mp4']],
])('reads DASH presentations by %s', (_, description, files) => {
  const mpd = (
    type: string,
  ) => `<?xml version="1.0"?>\n<!-- x -->\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" ${type} mediaPresentationDuration="PT11S">
    <BaseURL>/films/</BaseURL><Period><AdaptationSet><BaseURL>1/</BaseURL>
    <Representation id="v" bandwidth="9">${description}</Representation></AdaptationSet></Period></MPD>`;
  const links = linksOf('playlist', mpd('type="static"'), base);
  expect(links).toEqual({
    kind: 'piece',
    urls: files.map((file) => `https://www.example.com/films/1/${file}`),
  });
  // By the clock it is not known which there are.
  const live = linksOf('playlist', mpd('type="dynamic"'), base);
  if (description.includes('duration=')) expect(live.urls).toHaveLength(1);
});

it('has what a representation does not say from what is around it, and no more than is asked for', () => {
  const mpd = `<MPD mediaPresentationDuration="P1DT1H"><Period><AdaptationSet>
    <SegmentTemplate media="$RepresentationID$/$Number$" duration="1"/>
    <Representation id="a"><SegmentTemplate startNumber="0"/></Representation><Representation id="b"/></AdaptationSet></Period></MPD>`;
  const { urls } = linksOf('playlist', mpd, base);
  expect(urls).toHaveLength(10_000);
  expect(urls[0]).toBe('https://www.example.com/video/a/0');
});

it('reads no more than an answer holds', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `${index}.ts`).join('\n');
  expect(linksOf('playlist', many, base).urls).toHaveLength(10_000);
  const long = Array.from({ length: 1000 }, (_, index) => `${index}${'x'.repeat(3000)}`).join('\n');
  expect(linksOf('playlist', long, base).urls.length).toBeLessThan(400);
});
