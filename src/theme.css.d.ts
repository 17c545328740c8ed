/**
 * A stylesheet has nothing to import by name; this is so that compilers which look for one find it.
 */
export {}
