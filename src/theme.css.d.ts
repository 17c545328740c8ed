/** A stylesheet has no named exports; this file satisfies compilers that look for a declaration. */
export {}
