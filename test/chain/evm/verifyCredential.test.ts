import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { verifyCredential } from '../../../src/chain/index.js'
import { credentialTypes, issueCredential } from '../../../src/engine/evm/issueCredential.js'
import type { Credential } from '../../../src/schema/index.js'

const nowMs = Date.parse('2026-03-01T12:00:00.000Z')
const dayMs = 24 * 60 * 60_000
const account = privateKeyToAccount(generatePrivateKey())
const { address: issuer } = account
const owner = `0x${'Ab'.repeat(20)}`
const contractAddress = `0x${'c0'.repeat(20)}`

/** A credential as the service issues it, and as it comes over the wire. */
const issue = async (expiresAt?: bigint): Promise<Credential> => {
  const terms = {
    issuer: { address: issuer, sign: (data: object) => account.signTypedData(data as never) },
    namespace: 'kassa',
    nowMs,
    id: crypto.randomUUID(),
  }
  const token = { chain: 'base-sepolia', contractAddress, tokenId: '7' }
  const holding = { token, caip2: 'eip155:84532', owner, expiresAt } as const
  const issued = await issueCredential(terms, holding)
  return JSON.parse(JSON.stringify(issued))
}

/** Every path to a string in it that is signed. */
const pathsOf = (value: unknown, path: string[] = []): string[][] => {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'eip712' ? [] : pathsOf(inner, [...path, key]),
  )
}

const changeAt = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
  if (key === undefined) return `${value}0`
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as object) }
  Reflect.set(copy, key, changeAt(Reflect.get(copy, key), rest))
  return copy
}

test('default: what the service issued, and whom it names', async () => {
  const credential = await issue()
  const verified = await verifyCredential(credential, { issuer, nowMs })
  expect(verified.fault).toBeUndefined()
  if (verified.fault !== undefined) return
  expect(verified.credential).toEqual(credential)
  expect(verified.holder.toLowerCase()).toBe(owner.toLowerCase())
})

test('behavior: no word of it can be changed', async () => {
  const credential = await issue()
  const paths = pathsOf(credential)
  expect(paths.length).toBeGreaterThan(12)
  const faults = await Promise.all(
    paths.map(async (path) => (await verifyCredential(changeAt(credential, path), { issuer, nowMs })).fault),
  )
  expect(faults.filter((fault) => fault === undefined)).toEqual([])
})

describe('error: not-signed', () => {
  test.each([
    ['a word more', (given: Credential) => ({ ...given, seat: 'A1' })],
    ['a word more inside', (given: Credential) => ({ ...given, nft: { ...given.nft, name: 'VIP' } })],
    [
      'a word more in the proof',
      (given: Credential) => ({ ...given, proof: { ...given.proof, nonce: '1' } }),
    ],
    ['no types', (given: Credential) => ({ ...given, proof: { ...given.proof, eip712: undefined } })],
    ['no signature', (given: Credential) => ({ ...given, proof: { ...given.proof, proofValue: '0x' } })],
  ])('%s', async (_, change) => {
    const given = JSON.parse(JSON.stringify(change(await issue())))
    expect(await verifyCredential(given, { issuer, nowMs })).toEqual({ fault: 'not-signed' })
  })

  test('types that leave a field out, though the issuer had signed those', async () => {
    const credential = await issue()
    const { proofValue: _, eip712, ...proof } = credential.proof
    const { VerifiableCredential, ...others } = credentialTypes
    const fields = VerifiableCredential.filter(({ name }) => name !== 'credentialSubject')
    const types = { ...others, VerifiableCredential: fields }
    const message = { ...credential, proof }
    const typed = { domain: eip712?.domain, types, primaryType: 'VerifiableCredential', message }
    const proofValue = await account.signTypedData(typed as never)
    const given = { ...credential, proof: { ...proof, proofValue, eip712: { ...eip712, types } } }
    expect(await verifyCredential(given, { issuer, nowMs })).toEqual({ fault: 'not-signed' })
  })
})

test('error: other-issuer, for a valid signature of an untrusted issuer', async () => {
  const other = privateKeyToAccount(generatePrivateKey()).address
  expect(await verifyCredential(await issue(), { issuer: other, nowMs })).toEqual({ fault: 'other-issuer' })
})

test('error: too-early and expired, with a subscription too', async () => {
  const credential = await issue()
  const at = async (ms: number, given = credential) =>
    (await verifyCredential(given, { issuer, nowMs: ms })).fault
  expect(await at(nowMs - 2 * 60_000)).toBe('too-early')
  expect(await at(nowMs - 30_000)).toBeUndefined()
  expect(await at(nowMs + 30 * dayMs - 1)).toBeUndefined()
  expect(await at(nowMs + 30 * dayMs)).toBe('expired')
  expect(await at(nowMs, await issue(BigInt(nowMs / 1000 - 1)))).toBe('expired')
})

test.each([undefined, null, 'x', [], {}, { value: {} }])('error: malformed for %j', async (given) => {
  expect(await verifyCredential(given, { issuer, nowMs })).toEqual({ fault: 'malformed' })
})
