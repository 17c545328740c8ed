import { stringToBytes } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { getOrderAccounts } from '../../chain/solana/orderAccounts.js'
import { toBase64 } from '../../chain/solana/transaction.js'
import type { FundsCheck, PaymentState } from '../../engine/order/order.js'
import { feePerSignature, rentLamports, solanaId } from '../solana/executeMessage.js'
import { operator, requireSolanaCurrency, solanaCurrencies } from '../solana/network.js'
import { type SolanaPaymentDraft, writePayment } from '../solana/paymentMessage.js'
import { signBytes, writeTransaction } from '../solana/signBytes.js'
import type { SolanaTransaction, TestSolana } from '../solana/testSolana.js'
import { badInput } from './http.js'

type AskedPayment = Omit<SolanaPaymentDraft, 'blockhash'>

/**
 * Reads whether the payer of an order can pay on Solana, and writes the message that does. Its blockhash is good
 * for about a minute.
 */
export const prepareSolanaPayment = ({ bank, getBlockhash }: TestSolana, asked: AskedPayment): FundsCheck => {
  const { payer, currency, units } = asked
  const { mint, decimals } = requireSolanaCurrency(currency)
  if (mint === undefined && units < rentLamports) {
    throw badInput(`payment.currency: ${currency} takes no payment under ${rentLamports} lamports on solana`)
  }
  const lamports = bank.get(solanaId, payer, undefined, 9)
  const held = mint === undefined ? lamports : bank.get(solanaId, payer, mint, decimals)
  if (held < units) return { status: 'insufficient-funds' }
  const rest = lamports - (mint === undefined ? units : 0n) - feePerSignature
  // An account is either emptied, or keeps what its existence costs.
  if (rest !== 0n && rest < rentLamports) return { status: 'insufficient-funds-for-gas' }
  const message = writePayment({ ...asked, blockhash: getBlockhash().blockhash })
  return { status: 'ready', serializedTransaction: toBase64(message) }
}

const namesAddress = ({ message: { instructions } }: SolanaTransaction, address: string): boolean =>
  instructions.some(({ accounts }) => accounts.includes(address))

/** Finds the payments for an order that are in a block: what names its reference and pays its account. */
export const findSolanaPayments = (
  { transactions }: TestSolana,
  orderId: string,
): Omit<PaymentState, 'use'>[] =>
  transactions().flatMap((sent) => {
    const { landed, signature: txId } = sent
    if (landed?.err !== null) return []
    return solanaCurrencies.flatMap(({ currency, decimals, mint }, index) => {
      const { account, references } = getOrderAccounts(operator, orderId, mint)
      const transfers = landed.transfers.filter(
        (transfer) => transfer.recipient === account && transfer.mint === mint,
      )
      const [first] = transfers
      if (!first || !namesAddress(sent, references[0])) return []
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
  throw new Error('The payment was refused: its payer has too little')
}
