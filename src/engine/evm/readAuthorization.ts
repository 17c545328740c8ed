import { type Address, getAddress, type Hex, isHex, size } from 'viem'
import type { CreateAuthorizationBody } from '../../schema/authorization.js'
import { clip } from '../clip.js'
import { type AuthorizationTerms, permit2Address, toNonce } from './authorization.js'

/**
 * Why an authorization does not pay for its order, in the words of x402: those of its specification, and of its reference
 * implementation where that has none.
 */
export type AuthorizationFault =
  | 'insufficient_funds'
  | 'invalid_exact_evm_nonce_already_used'
  | 'invalid_exact_evm_payload_authorization_valid_after'
  | 'invalid_exact_evm_payload_authorization_valid_before'
  | 'invalid_exact_evm_payload_authorization_value_mismatch'
  | 'invalid_exact_evm_payload_recipient_mismatch'
  | 'invalid_exact_evm_payload_signature'
  | 'invalid_exact_evm_token_name_mismatch'
  | 'invalid_exact_evm_token_version_mismatch'
  | 'invalid_exact_evm_transaction_simulation_failed'
  | 'invalid_network'
  | 'invalid_payload'
  | 'invalid_payment_requirements'
  | 'invalid_permit2_recipient_mismatch'
  | 'invalid_permit2_signature'
  | 'invalid_permit2_spender'
  | 'permit2_2612_amount_mismatch'
  | 'permit2_allowance_required'
  | 'permit2_deadline_expired'
  | 'permit2_invalid_amount'
  | 'permit2_invalid_nonce'
  | 'permit2_invalid_owner'
  | 'permit2_not_yet_valid'
  | 'permit2_token_mismatch'
  | 'unsupported_scheme'

/** A signed authorization that agrees with its order, without what the order says itself. */
export type SignedAuthorization = {
  kind: AuthorizationTerms['kind']
  payer: Address
  nonce: Hex
  /** @units epoch seconds, in decimal digits */
  validAfter: string
  validBefore: string
  signature: Hex
  /** The permit that lets Permit2 move the token. */
  permit?: { deadline: string; signature: Hex }
}

/** Why an authorization is refused. The message names the field and what it should be. */
export type RefusedAuthorization = { reason: AuthorizationFault; message: string }

/** One field of what was signed: what it must be, and the fault if it is something else. */
type Rule = { fault: AuthorizationFault; expected: string; isRight: (value: unknown) => boolean }
type Rules = Readonly<Record<string, Rule>>

const readInteger = (value: unknown): bigint | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^(?:\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value)
    ? BigInt(value)
    : undefined
}

const isText = (fault: AuthorizationFault, text: string): Rule => ({
  fault,
  expected: text,
  isRight: (value) => value === text,
})

const isAddress = (fault: AuthorizationFault, address: Address): Rule => ({
  fault,
  expected: address,
  isRight: (value) => typeof value === 'string' && value.toLowerCase() === address.toLowerCase(),
})

const isNumber = (fault: AuthorizationFault, number: bigint): Rule => ({
  fault,
  expected: `${number}`,
  isRight: (value) => readInteger(value) === number,
})

const isWithin = (
  fault: AuthorizationFault,
  { least = 0n, most }: { least?: bigint; most: bigint },
): Rule => ({
  fault,
  expected: `a number from ${least} to ${most}`,
  isRight: (value) => {
    const number = readInteger(value)
    return number !== undefined && number >= least && number <= most
  },
})

const both = (one: Rule, other: Rule): Rule => ({
  fault: one.fault,
  expected: `${one.expected}, ${other.expected}`,
  isRight: (value) => one.isRight(value) && other.isRight(value),
})

/** How long an authorization must still be valid, so that a block can include it. @units seconds */
const leastSeconds = 6n
const maxNumber = 2n ** 256n - 1n

/** The rules of the times: those of the order, or within them if the payer's software chooses. */
const listTimes = (
  { nonce, validBefore }: AuthorizationTerms,
  nowSeconds: bigint,
  [early, late]: readonly [AuthorizationFault, AuthorizationFault],
) => {
  const inTime = isWithin(late, { least: nowSeconds + leastSeconds, most: validBefore })
  const begun = isWithin(early, { most: nowSeconds })
  if (nonce === undefined) return { after: begun, before: inTime }
  return { after: isNumber(early, 0n), before: both(isNumber(late, validBefore), inTime) }
}

const listTokenDomain = ({ chainId, token, domain }: AuthorizationTerms): Rules => ({
  name: isText('invalid_exact_evm_token_name_mismatch', domain?.name ?? ''),
  version: isText('invalid_exact_evm_token_version_mismatch', domain?.version ?? ''),
  chainId: isNumber('invalid_network', BigInt(chainId)),
  verifyingContract: isAddress('invalid_payment_requirements', token),
})

const listTransfer = (terms: AuthorizationTerms, payer: Address, nowSeconds: bigint): Rules => {
  const { recipient, units, nonce } = terms
  const { after, before } = listTimes(terms, nowSeconds, [
    'invalid_exact_evm_payload_authorization_valid_after',
    'invalid_exact_evm_payload_authorization_valid_before',
  ])
  return {
    from: isAddress('invalid_payload', payer),
    to: isAddress('invalid_exact_evm_payload_recipient_mismatch', recipient),
    value: isNumber('invalid_exact_evm_payload_authorization_value_mismatch', units),
    validAfter: after,
    validBefore: before,
    nonce: {
      fault: 'invalid_payload',
      expected: nonce ?? '32 bytes in hex',
      isRight: (value) =>
        typeof value === 'string' &&
        /^0x[0-9a-fA-F]{64}$/.test(value) &&
        (nonce === undefined || value.toLowerCase() === nonce.toLowerCase()),
    },
  }
}

const listWitnessed = (terms: AuthorizationTerms, nowSeconds: bigint): Rules => {
  const { token, spender, recipient, units, nonce } = terms
  const { after, before } = listTimes(terms, nowSeconds, [
    'permit2_not_yet_valid',
    'permit2_deadline_expired',
  ])
  return {
    'permitted.token': isAddress('permit2_token_mismatch', token),
    'permitted.amount': isNumber('permit2_invalid_amount', units),
    spender: isAddress('invalid_permit2_spender', spender),
    nonce:
      nonce === undefined
        ? isWithin('permit2_invalid_nonce', { most: maxNumber })
        : isNumber('permit2_invalid_nonce', BigInt(nonce)),
    deadline: before,
    'witness.to': isAddress('invalid_permit2_recipient_mismatch', recipient),
    'witness.validAfter': after,
  }
}

const permit2Domain = ({ chainId }: AuthorizationTerms): Rules => ({
  name: isText('invalid_payload', 'Permit2'),
  chainId: isNumber('invalid_network', BigInt(chainId)),
  verifyingContract: isAddress('invalid_payload', permit2Address),
})

const listPermit = (terms: AuthorizationTerms, payer: Address, nowSeconds: bigint): Rules => {
  const { units, permitNonce } = terms
  const { before } = listTimes(terms, nowSeconds, ['permit2_not_yet_valid', 'permit2_deadline_expired'])
  return {
    owner: isAddress('permit2_invalid_owner', payer),
    spender: isAddress('invalid_permit2_spender', permit2Address),
    value: isNumber('permit2_2612_amount_mismatch', units),
    nonce:
      permitNonce === undefined
        ? isWithin('permit2_invalid_nonce', { most: maxNumber })
        : isNumber('permit2_invalid_nonce', permitNonce),
    deadline: before,
  }
}

/** Lists the fields of an object by their paths, such as `witness.to`. */
const listFields = (object: Readonly<Record<string, unknown>>, path = ''): [string, unknown][] =>
  Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? listFields(value as Readonly<Record<string, unknown>>, `${path}${name}.`)
      : [[`${path}${name}`, value]],
  )

const show = (value: unknown): string => (value === undefined ? 'nothing' : clip(String(value)))

/** Finds the first field of an object that breaks its rule, is missing, or has none. */
const findFault = (
  place: string,
  object: Readonly<Record<string, unknown>>,
  rules: Rules,
): RefusedAuthorization | undefined => {
  const fields = new Map(listFields(object))
  for (const [path, { fault, expected, isRight }] of Object.entries(rules)) {
    const value = fields.get(path)
    if (isRight(value)) continue
    return { reason: fault, message: `${place}.${path}: expected ${expected}, got ${show(value)}` }
  }
  const extra = [...fields.keys()].find((path) => !Object.hasOwn(rules, path))
  if (extra === undefined) return undefined
  return { reason: 'invalid_payload', message: `${place}.${extra}: this field is not part of what is signed` }
}

/** The bytes of a signature that a permit takes: `r`, `s` and `v`. */
const permitBytes = 65

type Checked = { authorization: SignedAuthorization } | { refused: RefusedAuthorization }

const refuse = (reason: AuthorizationFault, message: string): Checked => ({ refused: { reason, message } })

/**
 * Reads a signed authorization, and checks each of its fields against the terms of its order. Whether the signature is
 * the payer's, and whether the payer holds the money, the chain alone decides.
 */
export const readAuthorization = (
  terms: AuthorizationTerms,
  given: CreateAuthorizationBody,
  nowMs: number,
): Checked => {
  const { kind, payerAddress, domain, message, signature, permit } = given
  if (kind !== terms.kind) return refuse('unsupported_scheme', `kind: expected ${terms.kind}, got ${kind}`)
  const payer = getAddress(payerAddress)
  if (terms.payer !== undefined && payer !== getAddress(terms.payer)) {
    return refuse('invalid_payload', `payerAddress: the payer of the order is ${terms.payer}, not ${payer}`)
  }
  if (!isHex(signature)) return refuse('invalid_payload', 'signature: expected 0x and hex digits')
  const nowSeconds = BigInt(Math.floor(nowMs / 1000))
  const isTransfer = kind === 'erc3009'
  const fault =
    findFault('domain', domain, isTransfer ? listTokenDomain(terms) : permit2Domain(terms)) ??
    findFault(
      'message',
      message,
      isTransfer ? listTransfer(terms, payer, nowSeconds) : listWitnessed(terms, nowSeconds),
    )
  if (fault) return { refused: fault }
  const fields = new Map(listFields(message))
  const read = (path: string): bigint => readInteger(fields.get(path)) ?? 0n
  const authorization: SignedAuthorization = {
    kind,
    payer,
    nonce: toNonce(read('nonce')),
    validAfter: `${read(isTransfer ? 'validAfter' : 'witness.validAfter')}`,
    validBefore: `${read(isTransfer ? 'validBefore' : 'deadline')}`,
    signature,
  }
  if (kind !== 'permit') {
    return permit ? refuse('invalid_payload', `permit: ${kind} has none`) : { authorization }
  }
  if (!permit) return refuse('invalid_payload', 'permit: expected the signed permit for Permit2')
  const permitFault =
    findFault('permit.domain', permit.domain, listTokenDomain(terms)) ??
    findFault('permit.message', permit.message, listPermit(terms, payer, nowSeconds))
  if (permitFault) return { refused: permitFault }
  if (!isHex(permit.signature) || size(permit.signature) !== permitBytes) {
    return refuse('invalid_payload', `permit.signature: expected ${permitBytes} bytes`)
  }
  const deadline = `${readInteger(permit.message.deadline) ?? 0n}`
  return { authorization: { ...authorization, permit: { deadline, signature: permit.signature } } }
}
