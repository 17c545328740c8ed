import { type Address, type Hex, type PublicClient, parseTransaction, size } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Fees, least, priceOf } from '../connection/fees.js'
import { type SignedTransaction, toHex } from './signed.js'

/** A call with the gas and fees of its transaction. */
export type PricedCall = {
  to: Address
  data?: Hex | undefined
  /** Coins sent with the call, in wei. */
  value?: bigint | undefined
  gas: bigint
  fees: Fees
}

/** Returns the most that a call can take from its account, in wei. */
export const costOf = ({ value = 0n, gas, fees }: PricedCall): bigint => value + gas * priceOf(fees)

/**
 * The gas limit of a transaction (EIP-7825). Nodes refuse one that asks for more, which blocks those behind
 * it.
 */
const maxGas = 16_777_216n

/** Returns why a call fits into no transaction, if it needs more gas than the limit. */
export const explainMisfit = (needed: bigint, gasLimit: bigint): string | undefined => {
  const limit = least(maxGas, gasLimit)
  return needed > limit ? `it needs ${needed} gas, more than the ${limit} a transaction may use` : undefined
}

/** The size limit of a transaction. Nodes refuse a longer one, which blocks those behind it. */
export const maxBytes = 131_072
/** The size limit of a call's data. Some chains accept less than nodes do (Arbitrum: 95,000 bytes in all). */
const maxDataBytes = 90_000

/** Returns why data fits into no transaction, if it is too long. */
export const explainLength = (data: Hex | undefined, limit: number = maxDataBytes): string | undefined => {
  const length = data ? size(data) : 0
  return length > limit ? `it has ${length} bytes, more than the limit of ${limit}` : undefined
}

/**
 * The most gas that the operator pays for per call, because a user of a wallet chooses what the call burns.
 */
export const maxSponsoredGas = 3_000_000n

/** Returns the gas limit of a call that fits: more than it needs now, because the state may change. */
export const gasFor = (needed: bigint, gasLimit: bigint): bigint =>
  least((needed * 5n) / 4n, least(maxGas, gasLimit))

/** Signs a call as a transaction with this nonce. */
export const signCall = (
  { account, client }: { account: PrivateKeyAccount; client: PublicClient },
  { to, data, value, gas, fees }: PricedCall,
  nonce: number,
): Promise<Hex> => {
  const call = {
    chainId: client.chain?.id ?? 0,
    nonce,
    to,
    gas,
    ...(data && { data }),
    ...(value && { value }),
  }
  return account.signTransaction({ ...call, ...fees })
}

/** Reads a signed call and the fees that it offers. */
export const readSignedCall = ({ key, signedTransaction }: SignedTransaction): PricedCall => {
  const signed = parseTransaction(toHex(signedTransaction))
  const { to, data, value, gas = 0n } = signed
  if (!to) throw new Error(`the transaction ${key} has no recipient`)
  const { gasPrice = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = signed
  const fees: Fees =
    signed.type === 'legacy'
      ? { type: 'legacy', gasPrice }
      : { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
  return { to, data, value, gas, fees }
}
