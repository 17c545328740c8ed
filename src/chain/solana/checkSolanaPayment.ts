import { getOrderAccounts, type OrderAccounts, programs } from '../../engine/solana/orderAccounts.js'
import { parseAddress } from '../../engine/solana/parseAddress.js'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits, toBaseUnits } from '../../schema/baseUnits.js'
import type { Order } from '../../schema/index.js'
import { readAmountDue } from '../amountDue.js'
import { toLine } from '../line.js'
import { invalid, notAllowed } from '../refusals.js'
import { decodeMessage, type Instruction, type Message } from './message.js'
import { findSolanaToken, type SolanaRules, type SolanaToken, solDecimals } from './tokens.js'
import { readInteger, readTransfer, type Transfer } from './transfer.js'

/**
 * The message the buyer will be asked to sign, checked against the order.
 *
 * @units `units` is in base units of `currency`.
 */
export type CheckedSolanaPayment = {
  payerAddress: string
  /** The account of the order's own that receives the payment: its address, or the associated token account of that. */
  recipient: string
  /** The address under which the payment is found again. */
  reference: string | undefined
  /** In lower case. */
  currency: string
  units: bigint
  /** Undefined when SOL is paid. */
  token: SolanaToken | undefined
  blockhash: string
  /** The bytes to sign. */
  message: Uint8Array
}

/** The bytes of a transaction are at most 1,232, and its message is shorter. */
const maxBytes = 1_232

const decodeBase64 = (text: string): Uint8Array => {
  if (text.length > 2 * maxBytes) throw invalid('it is longer than any payment')
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    // The bytes must have only one spelling.
    if (btoa(String.fromCharCode(...bytes)) === text) return bytes
  } catch {
    // Said below.
  }
  throw invalid('it is not in base64')
}

const decode = (bytes: Uint8Array): Message => {
  try {
    return decodeMessage(bytes)
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : 'it cannot be decoded', cause)
  }
}

/** More than a wallet offers for a payment. @units lamports */
const maxPriorityFee = 10_000_000n
/** The most compute units that a transaction can have. */
const maxComputeUnits = 1_400_000n

const kinds = { unitLimit: 2, unitPrice: 3 } as const

/** Checks that instructions of the compute budget offer no more than a usual fee. */
const checkFees = (instructions: readonly Instruction[]): void => {
  let limit = maxComputeUnits
  let microLamports = 0n
  for (const { accounts, data } of instructions) {
    const isLimit = data[0] === kinds.unitLimit && data.length === 5
    const isPrice = data[0] === kinds.unitPrice && data.length === 9
    if (accounts.length || (!isLimit && !isPrice)) throw notAllowed('it sets more than the fee')
    if (isLimit) limit = readInteger(data, 1, 4)
    else microLamports = readInteger(data, 1, 8)
  }
  if ((limit * microLamports) / 1_000_000n > maxPriorityFee) throw notAllowed('it offers an unusual fee')
}

/** Finds the one transfer of a message, and refuses what does anything beside it. */
const findTransfer = ({ instructions }: Message): Transfer => {
  const fees: Instruction[] = []
  const transfers: Transfer[] = []
  for (const instruction of instructions) {
    const { program, accounts } = instruction
    if (program === programs.computeBudget) {
      fees.push(instruction)
      continue
    }
    if (program === programs.memo) {
      if (accounts.length) throw notAllowed('its memo names accounts')
      continue
    }
    const transfer = readTransfer(instruction)
    if (!transfer) throw notAllowed('it calls something other than a transfer')
    transfers.push(transfer)
  }
  checkFees(fees)
  const [transfer, second] = transfers
  if (second) throw notAllowed('it makes more than one transfer')
  if (!transfer) throw notAllowed('it makes no transfer')
  return transfer
}

const checkToken = ({ mint, decimals }: Transfer, token: SolanaToken | undefined, currency: string): void => {
  if (mint === token?.address && decimals === token?.decimals) return
  const name = toLine(currency, 20)
  const expected = token?.address ?? programs.system
  throw payError('pay.token-mismatch', { currency: name, expected, prepared: mint ?? programs.system })
}

/**
 * Derives where an order is paid from the operator that the app names.
 *
 * @throws {@link KassaError} `pay.preparation-invalid` if that is not the address of a key.
 */
export const deriveAccounts = (...order: Parameters<typeof getOrderAccounts>): OrderAccounts => {
  try {
    return getOrderAccounts(...order)
  } catch (cause) {
    throw invalid('the operator that the app names is not the address of a key', cause)
  }
}

const checkRecipient = (
  { recipient, others, mint }: Transfer,
  { payerAddress, orderId }: { payerAddress: string; orderId: string },
  rules: SolanaRules,
) => {
  if (rules.operator === undefined) {
    if (recipient === payerAddress) throw notAllowed('it pays the payer')
    if (others[0] === undefined) throw notAllowed('it lacks the reference of this order')
    return others[0]
  }
  const expected = deriveAccounts(rules.operator, orderId, mint)
  if (recipient !== expected.account) {
    throw payError('pay.recipient-mismatch', { expected: expected.account, prepared: recipient })
  }
  const [reference, deployment] = expected.references
  if (!others.includes(reference) || !others.includes(deployment)) {
    throw notAllowed('it lacks the reference of this order')
  }
  return reference
}

/** A transfer names its two references at most. */
const maxReferences = 2

/**
 * Decodes the message an order asks the buyer to sign on Solana and checks every part of it against the order. An
 * attacker who answers for the service cannot get anything signed but the payment of this order: one transfer of
 * the quoted amount from the payer, with a memo and a usual fee.
 *
 * @throws {@link KassaError} `pay.preparation-invalid`, `pay.chain-mismatch`, `pay.token-unknown`,
 * `pay.token-mismatch`, `pay.call-not-allowed`, `pay.amount-mismatch`, `pay.recipient-mismatch`.
 * @source answers.md "Solana"
 */
export const checkSolanaPayment = (order: Order, rules: SolanaRules = {}): CheckedSolanaPayment => {
  const { preparation, method } = order.payment
  if (!preparation?.serializedTransaction) throw invalid('the order has none')
  if (preparation.chain !== 'solana' || (method !== undefined && method !== 'solana')) {
    const [expected, prepared] = [toLine(method ?? 'solana', 40), toLine(preparation.chain, 40)]
    throw payError('pay.chain-mismatch', { expected, prepared })
  }
  const payerAddress = parseAddress(preparation.payerAddress ?? '')
  if (payerAddress === undefined) throw invalid('it does not name the payer')
  const bytes = decodeBase64(preparation.serializedTransaction)
  if (bytes.length > maxBytes) throw invalid('it is longer than any payment')
  const message = decode(bytes)
  const [feePayer, other] = message.signers
  if (feePayer !== payerAddress) throw invalid('its fee is paid by another account')
  if (other !== undefined) throw notAllowed('another account must sign it too')
  const transfer = findTransfer(message)
  if (transfer.from !== payerAddress) throw notAllowed('it moves funds of another account')
  if (transfer.others.length > maxReferences) throw notAllowed('it names accounts that it does not use')
  const total = readAmountDue(order)
  const token = findSolanaToken(rules, total.currency)
  checkToken(transfer, token, total.currency)
  const decimals = token?.decimals ?? solDecimals
  const { units, recipient } = transfer
  if (toBaseUnits(total.amount, decimals) !== units) {
    const currency = toLine(total.currency, 20)
    throw payError('pay.amount-mismatch', {
      quoted: `${toLine(total.amount)} ${currency}`,
      prepared: `${fromBaseUnits(units, decimals)} ${currency}`,
    })
  }
  const reference = checkRecipient(transfer, { payerAddress, orderId: order.orderId }, rules)
  const { blockhash } = message
  return {
    payerAddress,
    recipient,
    reference,
    currency: total.currency,
    units,
    token,
    blockhash,
    message: bytes,
  }
}
