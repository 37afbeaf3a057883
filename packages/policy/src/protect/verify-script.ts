/**
 * What the page of a challenge runs. Hashes are worked out in a worker by a few lines of its own: pages without TLS have no
 * WebCrypto, and for texts as short as these asking it costs many times the hash. It names no address but the node's.
 */
const work = `function work(token,bits,tell){
var K=[],H=[],p=2,n=0;
function frac(x){return (x-Math.floor(x))*4294967296|0}
while(n<64){for(var d=2,ok=1;d*d<=p;d++)if(p%d===0){ok=0;break}if(ok){if(n<8)H[n]=frac(Math.pow(p,1/2));K[n++]=frac(Math.pow(p,1/3))}p++}
var W=new Int32Array(64);
function first(text){
var l=text.length,b=(l+72)>>6,M=new Int32Array(b*16),i,j,h=H.slice();
for(i=0;i<l;i++)M[i>>2]|=text.charCodeAt(i)<<(24-8*(i%4));
M[l>>2]|=128<<(24-8*(l%4));M[b*16-1]=l*8;
for(j=0;j<M.length;j+=16){
var a=h[0],B=h[1],c=h[2],e=h[3],f=h[4],g=h[5],q=h[6],r=h[7];
for(i=0;i<64;i++){
if(i<16)W[i]=M[j+i];else{var x=W[i-15],y=W[i-2];
W[i]=W[i-16]+W[i-7]+((x>>>7|x<<25)^(x>>>18|x<<14)^x>>>3)+((y>>>17|y<<15)^(y>>>19|y<<13)^y>>>10)|0}
var t=r+((f>>>6|f<<26)^(f>>>11|f<<21)^(f>>>25|f<<7))+(f&g^~f&q)+K[i]+W[i]|0,
u=((a>>>2|a<<30)^(a>>>13|a<<19)^(a>>>22|a<<10))+(a&B^a&c^B&c)|0;
r=q;q=g;g=f;f=e+t|0;e=c;c=B;B=a;a=t+u|0}
h[0]=h[0]+a|0;h[1]=h[1]+B|0;h[2]=h[2]+c|0;h[3]=h[3]+e|0;h[4]=h[4]+f|0;h[5]=h[5]+g|0;h[6]=h[6]+q|0;h[7]=h[7]+r|0}
return h[0]}
var i=0;
(function some(){
for(var end=i+20000;i<end;i++)if(Math.clz32(first(token+':'+i))>=bits)return tell(i);
setTimeout(some,0)})()}`;

const beginning = `(function(){'use strict';
${work}
var $=function(id){return document.getElementById(id)},c=JSON.parse($('c').textContent),t=c.t,bits=bitsOf(),forged='',over=0;
function bitsOf(){return +c.token.split('.')[2]}
function say(text){$('s').textContent=text}
function marks(){
var m='',w=window,n=navigator;
if(n.webdriver)m+='w';
if(/Headless|PhantomJS|Electron|Selenium/i.test(n.userAgent))m+='h';
var names=Object.getOwnPropertyNames(w).concat(Object.getOwnPropertyNames(document));
for(var i=0;i<names.length;i++)if(/^(\\$?cdc_|__(webdriver|selenium|driver|fxdriver|nightmare|playwright|pw|puppeteer)|_(phantom|selenium)|callPhantom|domAutomation)/i.test(names[i])){m+='p';break}
if(!n.languages||!n.languages.length)m+='l';
return m+forged}
function find(done){
var tell=function(n){done('work:'+n)};
try{
var b=new Blob(['onmessage=function(e){('+work+')(e.data[0],e.data[1],function(n){postMessage(n)})}'],{type:'text/javascript'});
var k=new Worker(URL.createObjectURL(b));
k.onmessage=function(e){tell(e.data)};
k.onerror=function(){work(c.token,bits,tell)};
k.postMessage([c.token,bits])
}catch(x){work(c.token,bits,tell)}}
function send(answer){
say(t.checking);
var body='token='+encodeURIComponent(c.token)+'&answer='+encodeURIComponent(answer)+'&marks='+marks(),x=new XMLHttpRequest();
x.open('POST',c.to);
x.setRequestHeader('Content-Type','application/x-www-form-urlencoded');
x.onload=function(){
var r={};try{r=JSON.parse(x.responseText)}catch(e){}
if(x.status===200)return goOn();
if(r.reason==='early')return setTimeout(function(){send(answer)},1000);
if(c.ext&&(r.token||(r.reason==='low_score'&&bits>0))){if(r.token)c.token=r.token;bits=bitsOf();return instead()}
failed(r.reason)};
x.onerror=function(){failed('')};
x.send(body)}
function failed(reason){
var part=$('p');
if(part)part.hidden=true;
say(reason==='automated'?t.automated:reason==='too_many'?t.tooMany:t.failed);
$('a').hidden=false;$('a').focus()}
function goOn(){
say(t.done);
if(c.form)return HTMLFormElement.prototype.submit.call($('f'));
if(c.post){say(t.again);$('b').hidden=false;$('b').focus();return}
location.reload()}
$('a').onclick=function(){if(c.post&&!c.form)return history.back();if(c.form)location.replace(location.href);else location.reload()};
$('b').onclick=function(){history.back()};
function trusted(e){if(!e.isTrusted)forged+='u'}
function instead(){over=1;$('p').hidden=true;say(t.instead);find(send)}
`;

const ending = `var other=$('o');
if(other)other.onclick=function(){over=1;$('p').hidden=true;say(t.working);find(send)};
if(c.kind==='click')$('k').onclick=function(e){trusted(e);$('p').hidden=true;say(t.working);find(send)};
else if(c.ext)external();
else if(c.sight){
var v=$('v'),g=$('g'),show=function(){
if(c.kind==='slide')$('i').style.left=v.value/2+'%';
if(c.kind==='rotate')g.style.transform='rotate('+v.value+'deg)'};
if(c.kind!=='image'){v.oninput=show;show()}
$('q').onsubmit=function(e){e.preventDefault();trusted(e);send('sight:'+v.value.trim())};
}else if(c.kind==='delay'){
var left=c.wait,tick=function(){
if(left<=0)return find(send);
say(t.wait.replace('{n}',left));left--;setTimeout(tick,1000)};
tick()
}else{say(t.working);find(send)}
})()`;

/**
 * Shows the challenge of another, by its own script. What cannot be shown within its time, or fails, is replaced by the node's own
 * work, where there is that way.
 */
const external = `function external(){
var e=c.ext,w=window,late=setTimeout(blocked,e.wait*1000),s=document.createElement('script'),nonce=c.token.split('.')[3];
function ready(){clearTimeout(late)}
function blocked(){
ready();if(over)return true;
if(bits>0)instead();else{over=1;$('p').hidden=true;say(t.blocked);$('a').hidden=false;$('a').focus()}
return true}
function got(token){if(over)return;over=1;ready();$('p').hidden=true;send('vendor:'+token)}
function safely(run){return function(){if(!over)try{run()}catch(x){blocked()}}}
function box(api){
var o={sitekey:e.key,callback:got,'error-callback':blocked};
if(e.vendor==='turnstile'){o.action=e.action;o.cData=nonce;o.language=e.lang}
if(e.vendor==='hcaptcha')o.hl=e.lang;
api.render(e.vendor==='turnstile'?'#w':'w',o);ready()}
w.bwReady=safely(function(){
if(e.vendor==='turnstile')box(w.turnstile);
else if(e.vendor==='hcaptcha')box(w.hcaptcha);
else if(!e.score)box(w.grecaptcha);
else{say(t.checking);w.grecaptcha.ready(safely(function(){w.grecaptcha.execute(e.key,{action:e.action}).then(got,blocked)}))}});
if(e.vendor==='geetest')s.onload=safely(function(){
var o={captchaId:e.key,product:'float',language:e.lang,protocol:location.protocol+'//',onError:blocked,offlineCb:blocked};
if(e.api){o.apiServers=[e.api];o.protocol=e.src.split('//')[0]+'//'}
w.initGeetest4(o,function(g){
g.appendTo('#w').onReady(ready).onError(blocked).onSuccess(function(){
var r=g.getValidate();
if(r)got([r.lot_number,r.captcha_output,r.pass_token,r.gen_time].join(' '))})})});
s.onerror=blocked;s.async=true;s.src=e.src;
document.head.appendChild(s)}
`;

export const verifyScript = beginning + ending;
export const externalVerifyScript = beginning + external + ending;
