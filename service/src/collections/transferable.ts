import { chainFamilyOf } from 'kassa/engine'

/**
 * Whether collections on a chain can be made transferable or not.
 *
 * @source interface.md "Collection"
 */
export const knowsTransferable = (chain: string): boolean =>
  chainFamilyOf(chain) === 'evm' || chain === 'aptos'

/** What is wrong with a request that says it elsewhere. */
export const transferableFault = 'transferable: supported on EVM chains and Aptos only'
