import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type AuthorizationTerms,
  nonceOfQuote,
  type ProposedTerms,
  permit2Address,
  writeAuthorization,
} from '../../../src/engine/evm/authorization.js'
import { readAuthorization } from '../../../src/engine/evm/readAuthorization.js'
import type { CreateAuthorizationBody } from '../../../src/schema/authorization.js'
import { authorizationKinds } from '../../../src/schema/orderMembers.js'

const nowMs = 1_700_000_000_000
const deadlineMs = nowMs + 600_000
const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`
const [token, spender, payer, recipient] = ['1', '2', '3', '4'].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]

const termsOf = (kind: AuthorizationTerms['kind']): ProposedTerms => ({
  kind,
  chainId: 84_532,
  token,
  domain: { name: 'USDC', version: '2' },
  spender,
  payer,
  recipient,
  units: 30_000_000n,
  validBefore: BigInt(deadlineMs / 1000),
  nonce: nonceOfQuote({ orderId: 'order', units: 30_000_000n, deadlineMs }),
  permitNonce: 7n,
})

type Json = Record<string, unknown>

/** What a wallet sends for an order's own proposal. */
const sign = (terms: ProposedTerms): CreateAuthorizationBody => {
  const signature = `0x${'ab'.repeat(65)}`
  const { typedData, permit } = writeAuthorization(terms)
  return {
    kind: terms.kind,
    payerAddress: terms.payer,
    domain: typedData.domain,
    message: typedData.message,
    signature,
    ...(permit && { permit: { domain: permit.domain, message: permit.message, signature } }),
  }
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null

const listPaths = (value: unknown, path: readonly string[] = []): string[][] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, inner]) => listPaths(inner, [...path, name]))
    : [[...path]]

const getAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), body)

/** Returns a copy with another value at a path; `undefined` removes it. */
const changeAt = (body: CreateAuthorizationBody, path: readonly string[], value: unknown) => {
  const copy = structuredClone(body)
  const last = path.at(-1) ?? ''
  const parent = getAt(copy, path.slice(0, -1))
  if (!isRecord(parent)) throw new Error(`nothing at ${path.join('.')}`)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

/** A value as the chain would read it. */
const meaningOf = (value: unknown): string => {
  const text = String(value).toLowerCase()
  return /^(\d+|0x[0-9a-f]{1,64})$/.test(text) ? `${BigInt(text)}` : text
}

const reasonOf = (terms: AuthorizationTerms, body: CreateAuthorizationBody, atMs = nowMs) => {
  const read = readAuthorization(terms, body, atMs)
  return 'refused' in read ? read.refused.reason : undefined
}

const isSigned = (path: readonly string[]): boolean => path.at(-1) !== 'signature'

/** Any other value that a caller may send in place of one. */
const anyOther = (value: unknown) =>
  fc
    .oneof(
      fc.constantFrom(...['0', '1', '2', '5', '6'].map(addressOf), permit2Address, token, payer, recipient),
      fc.bigInt({ min: 0n, max: 2n ** 256n }).map(String),
      fc.nat().map((by) => `${(/^\d+$/.test(String(value)) ? BigInt(String(value)) : 0n) + BigInt(by) + 1n}`),
      fc.nat(1_000_000).map((by) => {
        const number = /^\d+$/.test(String(value)) ? BigInt(String(value)) : 0n
        return number > BigInt(by) ? `${number - BigInt(by) - 1n}` : '0'
      }),
      fc.integer(),
      fc.string({ maxLength: 70 }),
      fc.constantFrom('USDC', 'USD Coin', '1', '2', 'Permit2', '', null, true, [], [1], '0x', '-1', '1e6'),
      fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    )
    .filter((other) => meaningOf(other) !== meaningOf(value) || typeof other !== typeof value)
    .filter((other) => !(typeof other === 'number' && meaningOf(other) === meaningOf(value)))

describe.each(authorizationKinds)('%s', (kind) => {
  const terms = termsOf(kind)
  const body = sign(terms)

  test('default: what the order proposes is read as its terms', () => {
    const { nonce, validBefore } = terms
    expect(readAuthorization(terms, body, nowMs)).toEqual({
      authorization: {
        kind,
        payer,
        nonce,
        validAfter: '0',
        validBefore: `${validBefore}`,
        signature: body.signature,
        ...(kind === 'permit' && { permit: { deadline: `${validBefore}`, signature: body.signature } }),
      },
    })
  })

  test('behavior: any change of any field is refused', () => {
    const paths = listPaths(body).filter(isSigned)
    for (const path of paths) {
      fc.assert(
        fc.property(anyOther(getAt(body, path)), (other) => {
          const changed = changeAt(body, path, other)
          // The schema of the body refuses an address or a kind of another form.
          if (path.length === 1 && (typeof other !== 'string' || !/^0x[0-9a-f]{40}$/i.test(other))) return
          expect(reasonOf(terms, changed), `${path.join('.')}: ${String(other)}`).toBeDefined()
        }),
        { numRuns: 300 },
      )
    }
  })

  test('behavior: a field that is missing or was added is refused', () => {
    for (const path of listPaths(body).filter((path) => isSigned(path) && path.length > 1)) {
      expect(reasonOf(terms, changeAt(body, path, undefined)), path.join('.')).toBeDefined()
      const beside = [...path.slice(0, -1), 'extra']
      expect(reasonOf(terms, changeAt(body, beside, '1')), beside.join('.')).toBe('invalid_payload')
    }
  })

  test('behavior: it pays no other order and no other quote', () => {
    const changes: Partial<ProposedTerms>[] = [
      { recipient: addressOf('5') },
      { units: 29_999_999n },
      { token: addressOf('5') },
      { chainId: 8453 },
      { payer: addressOf('5') },
      { nonce: nonceOfQuote({ orderId: 'other', units: terms.units, deadlineMs }) },
      { nonce: nonceOfQuote({ orderId: 'order', units: terms.units, deadlineMs: deadlineMs + 1 }) },
      ...(kind === 'erc3009' ? [] : [{ spender: addressOf('5') }]),
      ...(kind === 'permit2' ? [] : [{ domain: { name: 'USD Coin', version: '2' } }]),
      ...(kind === 'permit' ? [{ permitNonce: 8n }] : []),
    ]
    for (const change of changes) expect(reasonOf({ ...terms, ...change }, body)).toBeDefined()
  })

  test('behavior: it is over some seconds before the quote ends', () => {
    expect(reasonOf(terms, body, deadlineMs - 6_000)).toBeUndefined()
    const late =
      kind === 'erc3009' ? 'invalid_exact_evm_payload_authorization_valid_before' : 'permit2_deadline_expired'
    expect(reasonOf(terms, body, deadlineMs - 5_000)).toBe(late)
    expect(reasonOf(terms, body, deadlineMs)).toBe(late)
  })

  test("parameters: the payer's software chooses the nonce, and times within the quote's", () => {
    const { nonce: _order, ...open } = terms
    const place = kind === 'erc3009' ? 'validAfter' : 'witness.validAfter'
    const [early, late] =
      kind === 'erc3009'
        ? ([
            'invalid_exact_evm_payload_authorization_valid_after',
            'invalid_exact_evm_payload_authorization_valid_before',
          ] as const)
        : (['permit2_not_yet_valid', 'permit2_deadline_expired'] as const)
    const end = kind === 'erc3009' ? 'validBefore' : 'deadline'
    const chosen = (after: number, before: number) =>
      [
        [place.split('.'), after],
        [[end], before],
      ].reduce(
        (next, [path, ms]) => {
          return changeAt(next, ['message', ...(path as string[])], `${Math.floor(Number(ms) / 1000)}`)
        },
        changeAt(body, ['message', 'nonce'], kind === 'erc3009' ? `0x${'9'.repeat(64)}` : '12345'),
      )

    expect(reasonOf(terms, chosen(nowMs - 600_000, nowMs + 60_000))).toBeDefined()
    const read = readAuthorization(open, chosen(nowMs - 600_000, nowMs + 60_000), nowMs)
    expect(read).toMatchObject({
      authorization: { validAfter: `${nowMs / 1000 - 600}`, validBefore: `${nowMs / 1000 + 60}` },
    })
    expect(reasonOf(open, chosen(nowMs + 1_000, nowMs + 60_000))).toBe(early)
    expect(reasonOf(open, chosen(nowMs - 600_000, nowMs + 5_000))).toBe(late)
    expect(reasonOf(open, chosen(nowMs - 600_000, deadlineMs + 1_000))).toBe(late)
  })

  test('error: a signature of another form', () => {
    expect(reasonOf(terms, { ...body, signature: 'signed' })).toBe('invalid_payload')
    if (body.permit) {
      const short = { ...body, permit: { ...body.permit, signature: '0xabab' } }
      expect(reasonOf(terms, short)).toBe('invalid_payload')
    }
  })

  test('error: a permit where there is none, and none where there is one', () => {
    const { permit, ...alone } = body
    const own = sign(termsOf('permit')).permit
    expect(reasonOf(terms, permit ? alone : { ...body, ...(own && { permit: own }) })).toBe('invalid_payload')
  })
})

test.each([
  ['erc3009', 'domain.name', 'invalid_exact_evm_token_name_mismatch'],
  ['erc3009', 'domain.version', 'invalid_exact_evm_token_version_mismatch'],
  ['erc3009', 'domain.chainId', 'invalid_network'],
  ['erc3009', 'domain.verifyingContract', 'invalid_payment_requirements'],
  ['erc3009', 'message.to', 'invalid_exact_evm_payload_recipient_mismatch'],
  ['erc3009', 'message.value', 'invalid_exact_evm_payload_authorization_value_mismatch'],
  ['erc3009', 'message.validAfter', 'invalid_exact_evm_payload_authorization_valid_after'],
  ['erc3009', 'message.validBefore', 'invalid_exact_evm_payload_authorization_valid_before'],
  ['permit2', 'domain.chainId', 'invalid_network'],
  ['permit2', 'message.permitted.token', 'permit2_token_mismatch'],
  ['permit2', 'message.permitted.amount', 'permit2_invalid_amount'],
  ['permit2', 'message.spender', 'invalid_permit2_spender'],
  ['permit2', 'message.nonce', 'permit2_invalid_nonce'],
  ['permit2', 'message.witness.to', 'invalid_permit2_recipient_mismatch'],
  ['permit2', 'message.witness.validAfter', 'permit2_not_yet_valid'],
  ['permit2', 'message.deadline', 'permit2_deadline_expired'],
  ['permit', 'permit.message.value', 'permit2_2612_amount_mismatch'],
  ['permit', 'permit.message.owner', 'permit2_invalid_owner'],
  ['permit', 'permit.domain.name', 'invalid_exact_evm_token_name_mismatch'],
] as const)('error: another %s %s', (kind, path, reason) => {
  const changed = changeAt(sign(termsOf(kind)), path.split('.'), '1')
  const read = readAuthorization(termsOf(kind), changed, nowMs)
  expect(read).toMatchObject({ refused: { reason } })
  expect('refused' in read && read.refused.message).toContain(`${path}: expected`)
})

test('behavior: the nonce is of the order and the quote', () => {
  const quote = { orderId: 'order', units: 5n, deadlineMs }
  const nonces = [quote, { ...quote, orderId: 'other' }, { ...quote, units: 6n }, { ...quote, deadlineMs: 1 }]
  expect(new Set(nonces.map(nonceOfQuote)).size).toBe(nonces.length)
  expect(nonceOfQuote(quote)).toBe(nonceOfQuote({ ...quote }))
})
