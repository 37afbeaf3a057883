import { tableOf } from './bytes.ts';

/**
 * Commands: 3 no word of any language, 2 a word that is rare after a separator, 1 a word of prose and of lists.
 */
export const commands: Record<string, number> = {};
tableOf(
  3,
  'whoami wget curl nslookup ifconfig ipconfig netstat uname ncat netcat systeminfo tasklist mkfifo chmod chown passwd bash dash zsh ksh csh powershell pwsh certutil bitsadmin mshta rundll32 regsvr32 wscript cscript tftp traceroute tracert printenv lsof nohup busybox xxd base64 xargs setsid crontab useradd adduser usermod sudo dig rsync scp socat telnet awk gawk sed tac unzip ssh phpinfo gcc cmd.exe powershell.exe python2 python3 perl5 wmic schtasks whois nmap sqlmap ldapsearch ping ping6 /bin/sh mkdir rmdir rm openssl hostname crond killall pkill halt reboot poweroff',
  commands,
);
tableOf(
  2,
  'cat ls sh nc id php perl python ruby node lua ps pwd touch rm cp mv ln df du tar gzip tee grep egrep find cmd echo printf sleep env id wc nl od rev vi vim nano less ash gdb java sort uniq dd ftp sysctl mount lscpu lsblk dmesg kill export eval exec cd arp route ip',
  commands,
);
tableOf(
  1,
  'more head tail type dir net set host who w top last date cut tr time at file strings test start del copy move ver vol tree more less source alias history logname users groups',
  commands,
);
