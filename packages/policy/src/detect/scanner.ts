import { wordsOf } from './bytes.ts';
import { wordBits } from './marks.ts';
import { firstOf } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

/** Tools that say who they are, and the names of hosts that tools have answers sent to. */
export const scanner: Detector = {
  name: 'scanner',
  group: 'scanner',
  mayFind: ({ part, words }) =>
    (part.place === 'header' && part.name === 'user-agent') || (words & wordBits.tool) !== 0,
  find: findTool,
};

const agents = wordsOf(
  'sqlmap nikto nessus openvas nmap nuclei acunetix w3af dirbuster gobuster feroxbuster wpscan joomscan masscan zgrab havij netsparker arachni skipfish whatweb wfuzz ffuf jaeles xray/ dirsearch zmeu morfeus fimap grendel-scan commix xsser appscan webinspect burpcollaborator paros/ vega/ whisker jbrofuzz sqlninja bsqlbf pangolin libwww-perl/ masscan/ zaproxy',
);
export const toolLiterals =
  '.burpcollaborator.net .oastify.com .interact.sh .interactsh.com .oast.fun .oast.pro .oast.live .oast.site .oast.me .oast.online .dnslog.cn .ceye.io .bxss.me .r87.me .xss.ht .dnslog.link .requestrepo.com .eyes.sh';
const hosts = wordsOf(toolLiterals);

function findTool({ part, lower }: Subject): Hit | undefined {
  if (part.place === 'header' && part.name === 'user-agent')
    return firstOf(lower, agents, 6, 'a tool for attacks');
  const hit = firstOf(lower, hosts, 6, 'a host for answers of attacks');
  return hit !== undefined && lower.length > 4000 ? { score: 4, offset: hit.offset, why: hit.why } : hit;
}
