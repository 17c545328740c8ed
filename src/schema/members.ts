/**
 * Every closed list of the interface, by subject. The service writes only these members. The library's
 * readers accept others too (see `open.ts`), because a newer service may know more members.
 */
export * from './auditMembers.js'
export { balanceTokens } from './balanceTokens.js'
export { collectionChains } from './chains.js'
export * from './developerMembers.js'
export * from './orderMembers.js'
export * from './timelineMembers.js'
export * from './tokenMembers.js'
export { userKinds } from './walletLocator.js'
export * from './walletMembers.js'
