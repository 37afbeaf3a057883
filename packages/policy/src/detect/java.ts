import { wordsOf } from './bytes.ts';
import { wordBits } from './marks.ts';
import { firstOf, stronger } from './hit.ts';
import type { Detector, Hit, Subject } from './types.ts';

export const javaLiterals =
  'java. javax. processbuilder getruntime ognl #_member #context xwork classloader com.sun. com.opensymphony org.springframework org.apache.commons org.codehaus scriptengine nashorn #application #request #session getclass child_process mainmodule os.popen subprocess execsync spawnsync redirect:$ redirect:% action:% t(java new%20java groovy. clojure. #cmd @@class #rt .exec( forname( system.diagnostics bsh. xmldecoder #a= #f= (# process.env global.process';

const strong = wordsOf(
  'java.lang.runtime java.lang.processbuilder new+processbuilder getruntime( getruntime(). @java.lang @ognl. ognlcontext #_memberaccess _memberaccess[ #context[ com.opensymphony.xwork2 javax.script.scriptenginemanager scriptenginemanager( nashorn.internal com.sun.org.apache.xalan com.sun.org.apache.xpath com.sun.rowset jdk.nashorn java.beans.xmldecoder class.module.classloader class.classloader. class[%27classloader class[classloader org.springframework.context.support t(java. t(org.springframework system.diagnostics.process java.util.priorityqueue org.codehaus.groovy.runtime javax.naming.initialcontext java.io.fileoutputstream redirect:${ redirect:%{ action:%{ bsh.interpreter groovy.lang.groovyshell org.apache.commons.collections',
);
const fair = wordsOf(
  'java.lang.class java.lang.system java.lang.string( java.net.urlclassloader java.util.scanner java.io.file( java.io.file(" java.io.inputstreamreader class.forname( .getclass().forname .getclass().getclassloader #application[ #rt.exec .exec("  processbuilder( #cmd= java.lang.thread',
);
const node = wordsOf(
  'require(\'child_process\') require("child_process") process.mainmodule global.process.mainmodule .execsync( .spawnsync( os.popen( subprocess.popen( subprocess.check_output( process.binding( this.constructor.constructor',
);

/** Expressions that reach classes: OGNL, SpEL, Groovy, and the same of Node and Python. Dangerous names need nothing special around them. */
export const java: Detector = {
  name: 'java',
  group: 'code',
  mayFind: ({ words }) => (words & wordBits.java) !== 0,
  find: findJava,
};

function findJava({ lower, isPasted, part }: Subject): Hit | undefined {
  // Stack traces and sources name classes as well: a file or a page of them is no attack.
  const isProse =
    isPasted &&
    part.place !== 'xml' &&
    lower.indexOf('\n\tat ') + lower.indexOf('import java') + lower.indexOf('\nat ') > -3;
  const loss = isProse ? 4 : isPasted && part.place !== 'xml' ? 1 : 0;
  let best = firstOf(lower, strong, 7 - loss, 'a class that runs programs');
  best = stronger(best, firstOf(lower, node, 7 - (isPasted ? 3 : 0), 'a program is started'));
  best = stronger(
    best,
    firstOf(lower, fair, lower.indexOf('(') >= 0 && !isPasted ? 5 : 3, 'a class of Java'),
  );
  return best;
}
