import type { Hex } from 'viem'
import type { Database } from '../../db/database.js'
import type { Log } from '../../deps.js'
import type { ChainCurrency } from '../port.js'
import type { Finality } from './finality.js'

/** Which chain, where its node is, and who signs for this deployment. */
export type EvmChainOptions = {
  /** The chain by the interface's name. */
  chain: string
  chainId: number
  nativeCurrency: string
  confirmations: number
  /** Which block of the chain's own makes a payment final; without it, confirmations are counted. */
  finality?: Finality | undefined
  /** The most that is offered for a unit of gas, in wei; without it, whatever the chain asks for. */
  maxFeePerGas: bigint | undefined
  /** Where the node answers; asked when the chain is first used. */
  rpcUrl(): Promise<string>
  /** The key that deploys, mints and refunds; it holds the treasury. */
  operatorKey: Hex
  /** The tokens payments may be made in, or test tokens of our own. */
  tokens: readonly ChainCurrency[] | 'test-tokens'
  db: Database
  log: Log
  /** How often a receipt is asked for. */
  pollMs: number
  /** Whether the node is our own, so that the operator can be given gas money. */
  isLocal: boolean
  /** Is told each time that the node did not answer. */
  onAway?: (() => void) | undefined
  close(): Promise<void>
}
