import type { KernelState, PacketKind } from '@breakwater/contract';
import { defineText } from '../i18n/text.ts';

/** Packets that come to addresses of nodes, and attacks by them. */
export const packetText = defineText({
  zh: {
    kinds: {
      syn: 'SYN',
      tcp: '其他 TCP',
      reflected: 'UDP 反射',
      udp: '其他 UDP',
      icmp: 'ICMP',
      other: '其他协议',
    } satisfies Record<PacketKind, string>,
    attacks: {
      syn: 'SYN Flood',
      tcp: 'TCP Flood',
      reflected: 'UDP 反射攻击',
      udp: 'UDP Flood',
      icmp: 'ICMP Flood',
      other: '其他协议 Flood',
    } satisfies Record<PacketKind, string>,
    counts: {
      off: '未启用（见 DDoS 攻击设置）',
      on: '已启用',
      no_nft: '未安装 nftables，请在节点上安装',
      no_right: 'agent 无权操作内核，请以 root 运行或授予 CAP_NET_ADMIN',
      failed: 'nftables 报错，详见 agent 日志',
    } satisfies Record<KernelState, string>,
  },
  en: {
    kinds: {
      syn: 'SYN',
      tcp: 'Other TCP',
      reflected: 'Reflected UDP',
      udp: 'Other UDP',
      icmp: 'ICMP',
      other: 'Other protocols',
    },
    attacks: {
      syn: 'SYN flood',
      tcp: 'TCP flood',
      reflected: 'UDP reflection',
      udp: 'UDP flood',
      icmp: 'ICMP flood',
      other: 'Flood of another protocol',
    },
    counts: {
      off: 'Off (see DDoS attack settings)',
      on: 'Active',
      no_nft: 'nftables is not installed; install it on the node',
      no_right: 'The agent has no permission; run it as root or grant CAP_NET_ADMIN',
      failed: 'nftables failed; see the agent log',
    },
  },
});
