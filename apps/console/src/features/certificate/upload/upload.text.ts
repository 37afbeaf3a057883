import type { UploadUse } from '@breakwater/contract';
import { defineText } from '../../../i18n/text.ts';

/** Many certificates at once, and the sites that use them. */
export const uploadText = defineText({
  zh: {
    title: '批量上传证书',
    subtitle: '一次上传多张证书，并按域名绑定到站点。执行前先显示结果。',
    files: '证书与私钥文件',
    filesHint: '一次选择所有文件，名称和顺序不限：私钥会自动匹配对应的证书，中间证书会补全证书链。',
    filesNeeded: '请选择证书与私钥文件',
    choose: '选择文件',
    chosen: (count: number) => `已选择 ${count} 个文件`,
    tooLarge: (name: string) => `“${name}”过大，证书文件不会超过 100 KB`,
    tooMany: (most: number) => `一次最多选择 ${most} 个文件`,
    passwordHint: '用于所选的全部 PFX 文件；密码不同的请分次上传。',
    clientHint: '证书归该客户所有，并绑定到其站点；留空为平台自用的证书，不绑定站点。',
    read: '预览',
    found: (count: number) => `${count} 张证书`,
    foundHint: '确认每张证书的去向：新增，或替换域名相同的证书；以及哪些站点使用它。提交前不会有任何改动。',
    problems: (count: number) => `${count} 项无法使用`,
    problem: (files: readonly string[], reason: string) => `${files.join('、')}：${reason}`,
    take: (domain: string) => `上传 ${domain} 的证书`,
    known: '已上传过',
    isNew: '新增',
    replaces: '替换',
    formerEnds: (name: string) => `“${name}”到期时间 `,
    sites: '域名被覆盖的站点',
    noSites: '没有站点使用这些域名，仅上传。',
    siteWith: (domain: string, covered: readonly string[]) =>
      covered.length === 1 && covered[0] === domain ? domain : `${domain}（覆盖 ${covered.join('、')}）`,
    uses: {
      follows: '自动随之更新',
      added: '目前没有证书',
      replaces: '取代现有证书',
      lasts_longer: '现有证书到期更晚',
    } satisfies Record<UploadUse, string>,
    moreSites: '涉及的站点过多，此处只列出一部分；其余站点请分批处理，或在站点的“HTTPS”中选用证书。',
    noneTaken: '请至少选择一张证书',
    nameNeeded: '请填写证书名称',
    upload: (count: number, sites: number) =>
      sites === 0 ? `上传 ${count} 张证书` : `上传 ${count} 张证书并绑定 ${sites} 个站点`,
    uploaded: (created: number, replaced: number) =>
      replaced === 0
        ? `已新增 ${created} 张证书`
        : `已新增 ${created} 张、替换 ${replaced} 张证书，等待节点生效`,
    again: '重新选择文件',
  },
  en: {
    title: 'Upload certificates',
    subtitle:
      'Upload many certificates at once and bind them to sites by domain. You see the result before anything changes.',
    files: 'Certificates and private keys',
    filesHint:
      'Choose all files at once, whatever they are called and in any order: private keys are matched to their certificates, and intermediate certificates complete the chains.',
    filesNeeded: 'Choose the certificate and private key files',
    choose: 'Choose files',
    chosen: (count: number) => (count === 1 ? '1 file chosen' : `${count} files chosen`),
    tooLarge: (name: string) => `${name} is too large: certificate files do not exceed 100 KB`,
    tooMany: (most: number) => `Up to ${most} files can be chosen at once`,
    passwordHint: 'Used for all selected PFX files. Upload files with other passwords separately.',
    clientHint:
      'The customer who owns the certificates and whose sites use them. Leave empty for certificates of the platform itself, which no site uses.',
    read: 'Preview',
    found: (count: number) => (count === 1 ? '1 certificate' : `${count} certificates`),
    foundHint:
      'Check where each one goes: whether it is new or replaces one with the same domains, and which sites use it. Nothing changes until you upload.',
    problems: (count: number) => (count === 1 ? '1 item cannot be used' : `${count} items cannot be used`),
    problem: (files: readonly string[], reason: string) => `${files.join(', ')}: ${reason}`,
    take: (domain: string) => `Upload the certificate of ${domain}`,
    known: 'Already uploaded',
    isNew: 'New',
    replaces: 'Replaces',
    formerEnds: (name: string) => `“${name}” expires `,
    sites: 'Sites with these domains',
    noSites: 'No site has these domains: uploaded only.',
    siteWith: (domain: string, covered: readonly string[]) =>
      covered.length === 1 && covered[0] === domain ? domain : `${domain} (covers ${covered.join(', ')})`,
    uses: {
      follows: 'Updated automatically',
      added: 'No certificate yet',
      replaces: 'Replaces the current one',
      lasts_longer: 'Current one expires later',
    },
    moreSites:
      'More sites are affected than are listed here. Bind the others in further uploads, or select the certificate under “HTTPS” of a site.',
    noneTaken: 'Select at least one certificate',
    nameNeeded: 'Enter a name for each certificate',
    upload: (count: number, sites: number) => {
      const certificates = count === 1 ? '1 certificate' : `${count} certificates`;
      if (sites === 0) return `Upload ${certificates}`;
      return `Upload ${certificates} and bind ${sites === 1 ? '1 site' : `${sites} sites`}`;
    },
    uploaded: (created: number, replaced: number) => {
      const parts = [
        ...(created > 0 || replaced === 0 ? [`${created} uploaded`] : []),
        ...(replaced > 0 ? [`${replaced} replaced`] : []),
      ];
      return `Certificates: ${parts.join(', ')}${replaced > 0 ? '; deploying to nodes' : ''}`;
    },
    again: 'Choose other files',
  },
});
