import type { CheckedSolanaPayment } from '../../chain/index.js'
import { isKassaError } from '../../errors/KassaError.js'
import { payError } from '../../errors/payError.js'
import type { SolanaNode } from './node.js'

/** @units lamports: the fee of one signature, for a node that does not say. */
const usualFee = 5_000n

/** The newest slot after a simulation, and the last block that can take in the simulated message. */
export type Simulation = { slot: bigint; lastBlockHeight: bigint }

/** Describes in a few words why a transaction fails. */
export const describeFailure = (err: unknown, logs: readonly string[]): string => {
  const said = logs.findLast((line) => /^Program log: (Error|panicked)/.test(line))
  return said?.replace('Program log: ', '').slice(0, 200) ?? JSON.stringify(err).slice(0, 200)
}

const names = (err: unknown, name: string): boolean => JSON.stringify(err)?.includes(name) ?? false

const simulate = async (node: SolanaNode, payment: CheckedSolanaPayment): Promise<Simulation> => {
  const { payerAddress, currency, units, token, message } = payment
  const [lamports, fee, tokenUnits, result] = await Promise.all([
    node.getBalance(payerAddress),
    node.getFee(message),
    token && node.getTokenBalance(payerAddress, token.address),
    node.simulate(message),
  ])
  if ((tokenUnits ?? lamports) < units) throw payError('pay.insufficient-funds', { currency })
  const paidLamports = token ? 0n : units
  if (lamports < paidLamports + (fee ?? usualFee) || names(result.err, 'InsufficientFundsForRent')) {
    throw payError('pay.insufficient-funds-for-gas', {})
  }
  if (names(result.err, 'BlockhashNotFound')) throw payError('pay.quote-expired', {})
  if (result.err !== null) {
    throw payError('pay.would-revert', { reason: describeFailure(result.err, result.logs) })
  }
  // Its node knows the message's block and is not behind, so the message runs out no later than what names the tip.
  return node.getTip(result.slot)
}

/**
 * Simulates a payment on the chain: the payer can afford it and its fee, and it does not fail.
 *
 * @throws {@link KassaError} `pay.insufficient-funds`, `pay.insufficient-funds-for-gas`, `pay.quote-expired`,
 * `pay.would-revert`, `pay.chain-unavailable`.
 */
export const simulatePayment = async (
  node: SolanaNode,
  payment: CheckedSolanaPayment,
): Promise<Simulation> => {
  try {
    return await simulate(node, payment)
  } catch (cause) {
    if (isKassaError(cause)) throw cause
    // A node's internal error says nothing about the payment.
    throw payError('pay.chain-unavailable', { chain: 'solana' }, { cause })
  }
}
