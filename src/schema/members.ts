/**
 * Every closed list of the interface, by what it is of. The service writes only these members; the library's readers
 * accept others too (see `open.ts`), because a newer service may know more than these lists.
 */
export * from './orderMembers.js'
export * from './tokenMembers.js'
export * from './walletMembers.js'
