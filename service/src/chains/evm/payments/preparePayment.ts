import { type Address, erc20Abi, getAddress, type PublicClient, serializeTransaction } from 'viem'
import type { PreparedPayment, PreparePaymentInput } from '../../../ports/chain.js'
import type { Connection } from '../connection/connect.js'
import { priceOf, readRecentTerms, suggestFees } from '../connection/fees.js'
import { isContract } from '../connection/isContract.js'
import { readRevert } from '../connection/readRevert.js'
import { getPaymentCall, type PaymentContracts } from './orderPayments.js'

// The chain's state may differ between the estimate and the wallet's send.
const withMargin = (gas: bigint): bigint => (gas * 5n) / 4n
// Without funds, nothing can be estimated. A router payment and a token transfer both cost less than this.
const assumedGas = 120_000n

/** Reads the payer's base units of the currency, and of the native currency that pays for gas. */
const getFunds = async (client: PublicClient, payer: Address, token: Address | undefined) => {
  const [nativeWei, tokenUnits] = await Promise.all([
    client.getBalance({ address: payer }),
    token && client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [payer] }),
  ])
  return { nativeWei, currencyUnits: tokenUnits ?? nativeWei }
}

/** Builds the unsigned transaction that pays for an order, or reports which funds the payer lacks. */
export const preparePayment = async (
  { client, batching }: Pick<Connection, 'client' | 'batching'>,
  { contracts, chainId, token }: { contracts: PaymentContracts; chainId: number; token: Address | undefined },
  input: PreparePaymentInput,
): Promise<PreparedPayment> => {
  const payer = getAddress(input.payer)
  const call = getPaymentCall(contracts, { ...input, token })
  // Asked for with the rest, so that one request answers all. Without funds it fails, and no one looks at it.
  const estimate = batching.estimateGas({ account: payer, ...call }).then(
    (gas) => ({ gas: withMargin(gas) }),
    (error: unknown) => ({ error }),
  )
  const [funds, { asked }, isGasPaidByOthers] = await Promise.all([
    getFunds(batching, payer, token),
    readRecentTerms(client),
    // The account that sends a contract's transactions pays their gas.
    input.isGasPaidByOthers || isContract(batching, payer),
  ])
  const fees = suggestFees(asked)
  if (funds.currencyUnits < input.units) return { status: 'insufficient-funds' }
  const canPayFor = (gas: bigint): boolean =>
    // Nodes require the balance to cover the fee cap, above the current price.
    isGasPaidByOthers || funds.nativeWei >= call.value + gas * priceOf(fees)
  if (!canPayFor(assumedGas / 2n)) return { status: 'insufficient-funds-for-gas' }
  const estimated = await estimate
  // The check just before the wallet is asked will find and explain a call that would revert.
  if ('error' in estimated && readRevert(estimated.error) === undefined) throw estimated.error
  const gas = 'error' in estimated ? assumedGas : estimated.gas
  if (!canPayFor(gas)) return { status: 'insufficient-funds-for-gas' }
  const serializedTransaction = serializeTransaction({ chainId, ...call, gas, ...fees })
  return { status: 'ready', serializedTransaction }
}
