// For each of its modules that is resolved, Node reads all of a package's `exports` again: drizzle-orm has two thousand of them,
// which costs a process half a second before it does anything, and tests start hundreds. Within that package a relative
// name is the file's own.
import module from 'node:module';

const withinDrizzle = /\/node_modules\/drizzle-orm\/.*\.js$/;

module.registerHooks?.({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && withinDrizzle.test(context.parentURL ?? ''))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
    return next(specifier, context);
  },
});
