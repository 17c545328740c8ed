import { stringToBytes } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { toBase64 } from '../../chain/solana/transaction.js'
import { invalid } from '../../engine/invalidInput.js'
import type { FundsCheck, PaymentState } from '../../engine/order/order.js'
import { listMissing, type PaymentEstimate } from '../../engine/order/paymentOptions.js'
import { getOrderAccounts } from '../../engine/solana/orderAccounts.js'
import { feePerSignature, rentLamports, solanaId } from '../solana/executeMessage.js'
import { operator, requireSolanaCurrency, solanaCurrencies } from '../solana/network.js'
import { type SolanaPaymentDraft, writePayment } from '../solana/paymentMessage.js'
import { signBytes, writeTransaction } from '../solana/signBytes.js'
import type { TestSolana } from '../solana/testSolana.js'

type AskedPayment = Omit<SolanaPaymentDraft, 'blockhash'>

/**
 * Estimates what a payment on Solana takes of a payer. Returns `undefined` for one in coins that is less than an account
 * may hold.
 */
export const estimateSolanaPayment = (
  { bank }: TestSolana,
  { payer, currency, units }: { payer: string | undefined; currency: string; units: bigint },
): PaymentEstimate | undefined => {
  const { mint, decimals } = requireSolanaCurrency(currency)
  if (mint === undefined && units < rentLamports) return undefined
  const fee = feePerSignature
  if (payer === undefined) return { fee }
  const native = bank.get({ chainId: solanaId, owner: payer }, 9)
  const balance =
    mint === undefined ? native : bank.get({ chainId: solanaId, owner: payer, token: mint }, decimals)
  const asked = { currency, units, fee, least: rentLamports }
  return { fee, funds: { balance, missing: listMissing('sol', { balance, native }, asked) } }
}

/**
 * Reads whether the payer of an order can pay on Solana, and writes the message that does. Its blockhash is good
 * for about a minute.
 */
export const prepareSolanaPayment = (chain: TestSolana, asked: AskedPayment): FundsCheck => {
  const { currency, units } = asked
  const funds = estimateSolanaPayment(chain, asked)?.funds
  if (!funds) {
    throw invalid(
      'payment.currency',
      `${currency} accepts no payment under ${rentLamports} lamports on solana`,
    )
  }
  if (funds.balance < units) return { status: 'insufficient-funds' }
  if (funds.missing.length) return { status: 'insufficient-funds-for-gas' }
  const message = writePayment({ ...asked, blockhash: chain.getBlockhash().blockhash })
  return { status: 'ready', serializedTransaction: toBase64(message) }
}

/** Finds the payments for an order that are in a block: what pays its account, whatever else it names. */
export const findSolanaPayments = (
  { transactions }: TestSolana,
  orderId: string,
): Omit<PaymentState, 'use'>[] =>
  transactions().flatMap(({ landed, signature: txId }) => {
    if (landed?.err !== null) return []
    return solanaCurrencies.flatMap(({ currency, decimals, mint }, index) => {
      const { account } = getOrderAccounts(operator, orderId, mint)
      const transfers = landed.transfers.filter(
        (transfer) => transfer.recipient === account && transfer.mint === mint,
      )
      const [first] = transfers
      if (!first) return []
      const units = String(transfers.reduce((sum, transfer) => sum + transfer.units, 0n))
      const place = { id: `${txId}:${index}`, txId, chain: 'solana', minedAtMs: landed.atMs }
      return [{ ...place, currency, decimals, units, payer: first.from }]
    })
  })

/**
 * Pays an order on Solana in a block at the current time.
 *
 * @returns The transaction's signature.
 */
export const paySolanaOrder = (chain: TestSolana, asked: AskedPayment): string => {
  const message = writePayment({ ...asked, blockhash: chain.getBlockhash().blockhash })
  // Random, so that two equal payments in one block have different signatures.
  const signature = signBytes(stringToBytes(makeKey()))
  const txId = chain.send(writeTransaction([signature], message), { delayMs: 0 })
  const sent = chain.transactions().find((transaction) => transaction.signature === txId)
  if (sent?.landed?.err === null) return txId
  throw new Error('The payment was refused: its payer does not have enough')
}
