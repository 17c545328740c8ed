import { type Address, getAddress, isAddress } from 'viem'
import { canonicalJson } from '../../engine/canonicalJson.js'
import { nonceOfQuote, type ProposedTerms, writeAuthorization } from '../../engine/evm/authorization.js'
import { readAuthorization } from '../../engine/evm/readAuthorization.js'
import { payError } from '../../errors/payError.js'
import { readField } from '../../errors/readField.js'
import { toBaseUnits } from '../../schema/baseUnits.js'
import { evmChains } from '../../schema/chains.js'
import type { Order } from '../../schema/index.js'
import { type AuthorizationKind, authorizationKinds } from '../../schema/orderMembers.js'
import { readAmountDue } from '../amountDue.js'
import { toLine } from '../line.js'
import { invalid } from '../refusals.js'
import { encodeTransfer } from './calls.js'
import { type CheckedPayment, checkRecipient, expectRecipient, requireToken } from './checkPayment.js'
import { checkChain, readPayer } from './preparation.js'
import type { PaymentRules, Token } from './rules.js'

/**
 * The contract that brings payments to Permit2, and sends each only to the recipient that its payer signed. It is the
 * same for every service and on every chain.
 */
export const permitSpender: Address = '0x9c7E633532fea2732E6511569cFD7B179dAf767a'

/** A payment that the payer signs and the shop sends, checked against the order. */
export type CheckedAuthorization = {
  /** The payment as the transfer of the token that it is. */
  payment: CheckedPayment & { token: Token; authorization: AuthorizationKind }
  /** What `writeAuthorization` of `kassa/engine` writes the typed data from. Nothing that a service wrote is signed. */
  terms: ProposedTerms
}

type Fields = Readonly<Record<string, unknown>>

/** What an order offers to be signed, as far as its form is known. */
type Offer = { kind: AuthorizationKind; transfer: OfferedData; permit: OfferedData | undefined }
type OfferedData = { domain: Fields; message: Fields; types: unknown; primaryType: unknown }

// In characters. What is offered takes about a third of it, and more is not worth reading.
const maxLength = 8_192

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const measure = (value: unknown): number => {
  try {
    return JSON.stringify(value).length
  } catch {
    // Nested too deeply for it.
    return Number.POSITIVE_INFINITY
  }
}

const readData = (value: unknown): OfferedData => {
  const [domain, message] = [readField(value, 'domain'), readField(value, 'message')]
  if (!isFields(domain) || !isFields(message)) throw invalid('what it asks to sign is no typed data')
  return { domain, message, types: readField(value, 'types'), primaryType: readField(value, 'primaryType') }
}

/**
 * Returns how an order may be paid by a signature; undefined if it offers no signature, or one of a kind that this
 * version does not know.
 */
export const findAuthorizationKind = ({ payment }: Pick<Order, 'payment'>): AuthorizationKind | undefined => {
  const kind = readField(payment.preparation?.authorization, 'kind')
  return authorizationKinds.find((known) => known === kind)
}

const readOffer = (order: Order): Offer => {
  const kind = findAuthorizationKind(order)
  const offered = order.payment.preparation?.authorization
  if (!kind) throw invalid('it offers no signature of a known kind')
  if (measure(offered) > maxLength) throw invalid('what it asks to sign is longer than any payment')
  const permit = readField(offered, 'permit')
  return {
    kind,
    transfer: readData(readField(offered, 'typedData')),
    permit: permit === undefined || permit === null ? undefined : readData(permit),
  }
}

/** Reads the domain of the token's own typed data. Whether it is the token's, the chain says. */
const readDomain = ({ kind, transfer, permit }: Offer): ProposedTerms['domain'] => {
  if (kind === 'permit2') return undefined
  const { name, version } = (kind === 'permit' ? permit?.domain : transfer.domain) ?? {}
  if (typeof name !== 'string' || typeof version !== 'string') throw invalid('it does not name its token')
  return { name, version }
}

/** Reads the nonce of the payer's next permit. Whether it is the next one, the chain says. */
const readPermitNonce = ({ permit }: Offer): bigint | undefined => {
  const nonce = permit?.message.nonce
  return typeof nonce === 'string' && /^\d{1,78}$/.test(nonce) ? BigInt(nonce) : undefined
}

/** Returns the recipient that the order must have, or, if the app names no contracts, the one that the service names. */
const readRecipient = (
  { orderId }: Order,
  { contracts }: PaymentRules,
  { kind, transfer }: Offer,
): Address => {
  const { message } = transfer
  const named = kind === 'erc3009' ? message.to : readField(message.witness, 'to')
  if (typeof named !== 'string' || !isAddress(named, { strict: false }))
    throw invalid('it names no recipient')
  const [prepared, expected] = [getAddress(named), contracts && expectRecipient(contracts, orderId)]
  if (expected !== undefined && expected !== prepared) {
    throw payError('pay.recipient-mismatch', { expected, prepared })
  }
  return prepared
}

/** Refuses an offer in another token than the app's. */
const checkToken = ({ kind, transfer, permit }: Offer, currency: string, { address }: Token): void => {
  const token = {
    erc3009: transfer.domain.verifyingContract,
    permit: permit?.domain.verifyingContract,
    permit2: readField(transfer.message.permitted, 'token'),
  }[kind]
  if (typeof token !== 'string' || !isAddress(token, { strict: false })) throw invalid('it names no token')
  const prepared = getAddress(token)
  if (prepared !== address) throw payError('pay.token-mismatch', { currency, expected: address, prepared })
}

/** The names of an object's fields, without their values. */
const namesOf = (value: unknown): unknown =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, namesOf(inner)]))
    : null

/** Checks that typed data has the types of a payment and the fields that they name, and nothing else. */
const checkForm = (offered: OfferedData | undefined, written: OfferedData): void => {
  const write = ({ domain, message, ...types }: OfferedData): string =>
    canonicalJson({ ...types, domain: namesOf(domain), message: namesOf(message) })
  if (offered && write(offered) === write(written)) return
  throw invalid('what it asks to sign does not have the form of a payment')
}

// An offer has no signature yet. The rule for signed ones checks everything else.
const blank = `0x${'0'.repeat(130)}`

/** Holds each field of an offer against the terms. */
const checkFields = (offer: Offer, terms: ProposedTerms, nowMs: number): void => {
  const { kind, transfer, permit } = offer
  const sign = ({ domain, message }: OfferedData) => ({ domain, message, signature: blank })
  const body = {
    kind,
    payerAddress: terms.payer,
    ...sign(transfer),
    ...(permit && { permit: sign(permit) }),
  }
  const read = readAuthorization(terms, body, nowMs)
  if ('refused' in read) throw invalid(toLine(read.refused.message, 300))
  const written = writeAuthorization(terms)
  checkForm(transfer, written.typedData)
  if (written.permit) checkForm(permit, written.permit)
}

/**
 * Checks what an order asks the buyer to sign, so that the shop sends the payment: every field of it must be the one that
 * follows from the order. An attacker who answers for the service cannot get anything signed but the payment of this
 * order. What it says of the token itself, its name and the number of the payer's next permit, the chain has to confirm.
 *
 * @param rules - What the app knows independently of the service.
 * @param nowMs - Epoch milliseconds.
 * @throws {@link KassaError} `pay.preparation-invalid`, `pay.chain-mismatch`, `pay.chain-not-configured`,
 * `pay.token-unknown`, `pay.token-mismatch`, `pay.call-not-allowed`, `pay.recipient-mismatch`.
 * @source answers.md "Signed payments"
 */
export const checkAuthorization = (
  order: Order,
  rules: PaymentRules,
  nowMs: number,
): CheckedAuthorization => {
  const { preparation, method } = order.payment
  const offer = readOffer(order)
  const { kind } = offer
  const chain = checkChain(preparation?.chain ?? '', method)
  const { chainId } = evmChains[chain]
  const payerAddress = readPayer(preparation?.payerAddress)
  const { amount, currency } = readAmountDue(order)
  const token = requireToken(rules, chain, currency)
  checkToken(offer, currency, token)
  const units = toBaseUnits(amount, token.decimals)
  const deadlineMs = Date.parse(order.quote.expiresAt ?? '')
  if (!units) throw invalid('its price is not an amount to pay')
  if (Number.isNaN(deadlineMs)) throw invalid('the price has no expiry')
  const recipient = readRecipient(order, rules, offer)
  const asked = { payerAddress, to: token.address }
  checkRecipient(recipient, asked, true)
  const terms: ProposedTerms = {
    kind,
    chainId,
    token: token.address,
    domain: readDomain(offer),
    spender: permitSpender,
    payer: payerAddress,
    recipient,
    units,
    validBefore: BigInt(Math.floor(deadlineMs / 1000)),
    nonce: nonceOfQuote({ orderId: order.orderId, units, deadlineMs }),
    permitNonce: readPermitNonce(offer),
  }
  if (kind === 'permit' && terms.permitNonce === undefined) throw invalid('its permit has no nonce')
  checkFields(offer, terms, nowMs)
  const data = encodeTransfer(recipient, units)
  return {
    payment: {
      ...asked,
      chain,
      chainId,
      valueWei: 0n,
      data,
      recipient,
      currency,
      units,
      token,
      authorization: kind,
    },
    terms,
  }
}
