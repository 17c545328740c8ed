import { listMissing, type PaymentEstimate, writeAuthorization } from 'kassa/engine'
import { type Address, erc20Abi, getAddress, type Hex, serializeTransaction } from 'viem'
import type {
  EstimatePaymentsInput,
  PreparedPayment,
  PreparePaymentInput,
  SponsoredPayment,
} from '#base/ports/chain.js'
import { type AuthorizationChain, proposeTerms } from '../authorizations/authorizationTerms.js'
import type { Connection } from '../connection/connect.js'
import { type Fees, priceOf, readRecentTerms, suggestFees } from '../connection/fees.js'
import { isContract } from '../connection/isContract.js'
import { readRevert } from '../connection/readRevert.js'
import { getPaymentCall, type PaymentContracts } from './orderPayments.js'

// The chain's state may differ between the estimate and the wallet's send.
const withMargin = (gas: bigint): bigint => (gas * 5n) / 4n
// Without funds, nothing can be estimated. A router payment and a token transfer both cost less than this.
const assumedGas = 120_000n

type Opened = Pick<Connection, 'client' | 'batching'>

/** What preparing a payment needs to know of its chain. */
export type PaymentChain = {
  contracts: PaymentContracts
  chainId: number
  nativeCurrency: string
  /** Returns the address of a currency; `undefined` for the native one. */
  tokenOf(currency: string): Address | undefined
  authorizing: AuthorizationChain
}

/** A payment that its payer may make, and what it takes. */
type Draft = {
  call: { to: Address; value: bigint; data: Hex }
  gas: bigint
  fees: Fees
  estimate: PaymentEstimate & Required<Pick<PaymentEstimate, 'funds'>>
}

/** Reads, in one request, what a payer holds and what payments of an order would take. */
const draftPayments = async (
  { client, batching }: Opened,
  { contracts, nativeCurrency, tokenOf }: PaymentChain,
  { payer: given, payments, isGasPaidByOthers, ...order }: EstimatePaymentsInput & { payer: string },
): Promise<Draft[]> => {
  const payer = getAddress(given)
  const read = payments.map(({ currency, units }) => {
    const token = tokenOf(currency)
    const call = getPaymentCall(contracts, { ...order, units, token })
    return {
      currency,
      units,
      call,
      tokenUnits:
        token &&
        batching.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [payer] }),
      // Asked for with the rest, so that one request answers all. Without funds it fails.
      gas: batching.estimateGas({ account: payer, ...call }).then(
        (gas) => withMargin(gas),
        (error: unknown) => ({ error }),
      ),
    }
  })
  const [wei, { asked }, isPaidByOthers, balances, gas] = await Promise.all([
    batching.getBalance({ address: payer }),
    readRecentTerms(client),
    // The account that sends a contract's transactions pays their gas.
    isGasPaidByOthers || isContract(batching, payer),
    Promise.all(read.map(({ tokenUnits }) => tokenUnits)),
    Promise.all(read.map((each) => each.gas)),
  ])
  const fees = suggestFees(asked)
  return read.map(({ currency, units, call }, at) => {
    const balance = balances[at] ?? wei
    // Nodes require the balance to cover the fee cap, above the current price.
    const feeOf = (amount: bigint): bigint => (isPaidByOthers ? 0n : amount * priceOf(fees))
    const missingFor = (amount: bigint) =>
      listMissing(nativeCurrency, { balance, native: wei }, { currency, units, fee: feeOf(amount) })
    const estimated = gas[at] ?? assumedGas
    const isFailed = typeof estimated === 'object'
    // The check just before the wallet is asked will find and explain a call that would revert.
    if (isFailed && readRevert(estimated.error) === undefined && !missingFor(assumedGas / 2n).length) {
      throw estimated.error
    }
    const limit = isFailed ? assumedGas : estimated
    const estimate = { fee: feeOf(limit), funds: { balance, missing: missingFor(limit) } }
    return { call, gas: limit, fees, estimate }
  })
}

/** About the gas that settling an authorization takes, with a margin. */
const settlementGas = { erc3009: 100_000n, permit: 180_000n, permit2: 130_000n } as const

/** Proposes what the payer signs so that the operator sends the payment; `undefined` if that is not possible. */
const proposeAuthorization = async (
  { client, batching }: Opened,
  { authorizing, tokenOf }: PaymentChain,
  { currency, payer, isSponsored, ...payment }: PreparePaymentInput,
): Promise<SponsoredPayment | undefined> => {
  const token = isSponsored ? tokenOf(currency) : undefined
  if (!token) return undefined
  const isPayerContract = () => isContract(batching, getAddress(payer))
  const [terms, { asked }] = await Promise.all([
    proposeTerms(batching, authorizing, { ...payment, token, payer, isContract: isPayerContract }),
    readRecentTerms(client),
  ])
  if (!terms) return undefined
  return { authorization: writeAuthorization(terms), fee: settlementGas[terms.kind] * priceOf(asked) }
}

/**
 * Builds the unsigned transaction that pays for an order, or reports which funds the payer lacks, and what the payer may
 * sign so that the operator sends the payment.
 */
export const preparePayment = async (
  opened: Opened,
  chain: PaymentChain,
  input: PreparePaymentInput,
): Promise<PreparedPayment> => {
  const { currency, units, ...order } = input
  const [[draft], sponsored] = await Promise.all([
    draftPayments(opened, chain, { ...order, payments: [{ currency, units }] }),
    proposeAuthorization(opened, chain, input),
  ])
  if (!draft) throw new Error('no payment was drafted')
  const { call, gas, fees, estimate } = draft
  const { balance, missing } = estimate.funds
  if (balance < units) return { status: 'insufficient-funds' }
  const offered = sponsored && { sponsored }
  if (missing.length) return { status: 'insufficient-funds-for-gas', ...offered }
  const serializedTransaction = serializeTransaction({ chainId: chain.chainId, ...call, gas, ...fees })
  return { status: 'ready', serializedTransaction, ...offered }
}

/** Estimates what payments of an order would take of a payer. */
export const estimatePayments = async (
  opened: Opened,
  chain: PaymentChain,
  { payer, ...input }: EstimatePaymentsInput,
): Promise<PaymentEstimate[]> => {
  if (payer !== undefined) {
    const drafts = await draftPayments(opened, chain, { ...input, payer })
    return drafts.map(({ estimate }) => estimate)
  }
  const { asked } = await readRecentTerms(opened.client)
  const fee = input.isGasPaidByOthers ? 0n : assumedGas * priceOf(suggestFees(asked))
  return input.payments.map(() => ({ fee }))
}
