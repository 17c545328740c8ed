import { type Address, type Hex, type PublicClient, parseTransaction, size } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Fees, least, priceOf } from './fees.js'
import { type SignedTransaction, toHex } from './signed.js'

/** A call as it goes into a transaction. */
export type PricedCall = {
  to: Address
  data?: Hex | undefined
  /** Coins that go with it, in wei. */
  value?: bigint | undefined
  gas: bigint
  fees: Fees
}

/** The most that a call takes out of its account, in wei. */
export const costOf = ({ value = 0n, gas, fees }: PricedCall): bigint => value + gas * priceOf(fees)

/** The most a transaction may use (EIP-7825). One that asks for more would be refused, and block those behind it. */
const mostGas = 16_777_216n

/** Why a call fits into no transaction, if it needs more gas than one may use. */
export const explainMisfit = (needed: bigint, gasLimit: bigint): string | undefined => {
  const limit = least(mostGas, gasLimit)
  return needed > limit ? `it needs ${needed} gas, more than the ${limit} a transaction may use` : undefined
}

/** The most bytes of a transaction that nodes take: they refuse a longer one, and all those behind it. */
export const mostBytes = 131_072
/** The most that a call takes along: some chains take less than nodes do (Arbitrum 95,000 bytes in all). */
const mostDataBytes = 90_000

/** Why data fit into no transaction, if they are too long. */
export const explainLength = (data: Hex | undefined, limit: number = mostDataBytes): string | undefined => {
  const length = data ? size(data) : 0
  return length > limit ? `it takes ${length} bytes, more than the ${limit} that fit` : undefined
}

/** The most gas that the operator pays for others: whoever may send from a wallet chooses what it burns. */
export const mostSponsoredGas = 3_000_000n

/** How much gas to give a call that fits: more than it needs now, for it may meet another state. */
export const gasFor = (needed: bigint, gasLimit: bigint): bigint =>
  least((needed * 5n) / 4n, least(mostGas, gasLimit))

/** Signs a call with a nonce. */
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

/** Reads the call that was signed, and what was offered for it. */
export const readSignedCall = ({ key, signedTransaction }: SignedTransaction): PricedCall => {
  const signed = parseTransaction(toHex(signedTransaction))
  const { to, data, value, gas = 0n } = signed
  if (!to) throw new Error(`the transaction ${key} calls nobody`)
  const { gasPrice = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = signed
  const fees: Fees =
    signed.type === 'legacy'
      ? { type: 'legacy', gasPrice }
      : { type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas }
  return { to, data, value, gas, fees }
}
