/**
 * Leaves the stacks of errors in the process that starts the tests as Node.js writes them. There, Vite maps them to the
 * sources, and throws for modules that Vitest has read from its cache, because it keeps those as bytes: an error that
 * the service merely logs would end the run.
 */
Reflect.deleteProperty(Error, 'prepareStackTrace')
