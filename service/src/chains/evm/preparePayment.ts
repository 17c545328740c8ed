import { type Address, erc20Abi, getAddress, type PublicClient, serializeTransaction } from 'viem'
import type { PreparedPayment, PreparePaymentInput } from '../port.js'
import { priceOf, readBlockTerms, suggestFees } from './fees.js'
import { getPaymentCall, type PaymentContracts } from './orderPayments.js'
import { readRevert } from './readRevert.js'

// A wallet may find the chain in another state than the estimate did.
const withMargin = (gas: bigint): bigint => (gas * 5n) / 4n
// Before the payer has funds nothing can be estimated; a router payment and a token transfer both cost less.
const assumedGas = 120_000n

/** Base units the payer holds: of the currency itself, and of the native one that pays for gas. */
const getFunds = async (client: PublicClient, payer: Address, token: Address | undefined) => {
  const [nativeWei, tokenUnits] = await Promise.all([
    client.getBalance({ address: payer }),
    token && client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [payer] }),
  ])
  return { nativeWei, currencyUnits: tokenUnits ?? nativeWei }
}

/** The code of an account that lends itself the code of a contract (EIP-7702). */
const delegation = /^0xef0100/i

/** Whether a payer is a contract: whoever sends its transactions pays for them. */
const isContract = async (client: PublicClient, address: Address): Promise<boolean> => {
  const code = await client.getCode({ address })
  return code !== undefined && !delegation.test(code)
}

/** Builds the unsigned transaction that pays for an order, or says what the payer lacks to make it. */
export const preparePayment = async (
  client: PublicClient,
  contracts: PaymentContracts,
  chainId: number,
  input: PreparePaymentInput,
  token: Address | undefined,
): Promise<PreparedPayment> => {
  const payer = getAddress(input.payer)
  const call = getPaymentCall(contracts, { ...input, token })
  const [funds, { asked }, isGasPaidByOthers] = await Promise.all([
    getFunds(client, payer, token),
    readBlockTerms(client),
    input.isGasPaidByOthers || isContract(client, payer),
  ])
  const fees = suggestFees(asked)
  if (funds.currencyUnits < input.units) return { status: 'insufficient-funds' }
  const canPayFor = (gas: bigint): boolean =>
    // Nodes want the cap covered, not the price of the moment.
    isGasPaidByOthers || funds.nativeWei >= call.value + gas * priceOf(fees)
  if (!canPayFor(assumedGas / 2n)) return { status: 'insufficient-funds-for-gas' }
  const gas = await client
    .estimateGas({ account: payer, ...call })
    .then(withMargin)
    .catch((error) => {
      // A refusal here will be seen, and explained, when the wallet is about to be asked.
      if (readRevert(error) === undefined) throw error
      return assumedGas
    })
  if (!canPayFor(gas)) return { status: 'insufficient-funds-for-gas' }
  const serializedTransaction = serializeTransaction({ chainId, ...call, gas, ...fees })
  return { status: 'ready', serializedTransaction }
}
