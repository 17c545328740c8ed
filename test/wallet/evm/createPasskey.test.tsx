import { createPublicKey, verify } from 'node:crypto'
import { act } from '@testing-library/react'
import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApproveTransactionBody, fields } from '../../../src/schema/index.js'
import { createPasskey } from '../../../src/wallet/evm/createPasskey.js'
import { hasPasskeys } from '../../../src/wallet/passkeyAvailability.js'
import { useTransaction } from '../../../src/wallet/useTransaction.js'
import { createAuthenticator, declined } from '../../helpers/authenticator.js'
import { message, walletAddress } from '../../helpers/walletFixtures.js'
import { createWalletService, renderWalletHook, walletLocator } from '../walletWorld.js'

const params = { chain: 'base-sepolia' as const, calls: [{ to: walletAddress, value: '0', data: '0x' }] }

let authenticator: ReturnType<typeof createAuthenticator>

beforeEach(() => {
  sessionStorage.clear()
  authenticator = createAuthenticator()
  vi.stubGlobal('PublicKeyCredential', class {})
  Object.defineProperty(navigator, 'credentials', { value: authenticator.credentials, configurable: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'credentials')
})

const halfOfP256 = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n
const bytes = (hex: string, length: number): Buffer =>
  Buffer.from(
    BigInt(hex)
      .toString(16)
      .padStart(length * 2, '0'),
    'hex',
  )

test('default: what a new wallet takes as its signer', async () => {
  const passkey = await createPasskey({ name: 'ada@example.com' })
  expect(fields.AdminSignerInput.parse(passkey)).toEqual(passkey)
  const known = authenticator.keys.get(passkey.id)
  const toHex = (text = ''): string => `0x${Buffer.from(text, 'base64url').toString('hex')}`
  expect(passkey).toMatchObject({
    name: 'ada@example.com',
    publicKey: { x: toHex(known?.x), y: toHex(known?.y) },
  })
  const [asked] = authenticator.asked
  expect(asked?.publicKey).toMatchObject({ authenticatorSelection: { userVerification: 'required' } })
})

test('behavior: a second passkey of the same name replaces no other', async () => {
  await createPasskey({ name: 'ada' })
  await createPasskey({ name: 'ada', rp: { id: 'shop.example', name: 'Shop' }, excludeIds: ['AAAA'] })
  const [one, two] = authenticator.asked.map(
    ({ publicKey }) => publicKey as PublicKeyCredentialCreationOptions,
  )
  expect(Buffer.from(one?.user.id as Uint8Array)).not.toEqual(Buffer.from(two?.user.id as Uint8Array))
  expect(two?.rp).toEqual({ id: 'shop.example', name: 'Shop' })
  expect(two?.excludeCredentials).toHaveLength(1)
})

test('error: passkey.rejected', async () => {
  authenticator.script.refuse = declined
  await expect(createPasskey({ name: 'ada' })).rejects.toMatchObject({ code: 'passkey.rejected' })
})

test('error: passkey.failed tells the browser’s own reason', async () => {
  authenticator.script.refuse = () => new DOMException('there is one', 'InvalidStateError')
  await expect(createPasskey({ name: 'ada' })).rejects.toMatchObject({
    code: 'passkey.failed',
    context: { reason: 'InvalidStateError' },
  })
})

test('error: passkey.unavailable', async () => {
  expect(hasPasskeys()).toBe(true)
  vi.stubGlobal('isSecureContext', false)
  expect(hasPasskeys()).toBe(false)
  const unavailable = { code: 'passkey.unavailable' }
  await expect(createPasskey({ name: 'ada' })).rejects.toMatchObject(unavailable)
  vi.unstubAllGlobals()
  await expect(createPasskey({ name: 'ada' })).rejects.toMatchObject(unavailable)
  expect(authenticator.asked).toEqual([])
})

describe('approvals', () => {
  test('behavior: a passkey signs the message, always with the lower s', async () => {
    const { id } = await createPasskey({ name: 'ada' })
    const { x = '', y = '' } = authenticator.keys.get(id) ?? {}
    const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    // Of the two signatures an authenticator gives either, so that one alone would tell nothing.
    for (let count = 0; count < 8; count += 1) {
      const service = createWalletService(`evm-passkey:${id}`)
      const { result, unmount } = renderWalletHook({ service }, () =>
        useTransaction({ walletLocator, client: service.client, rpId: 'shop.example' }),
      )
      await act(() => result.current.send(params))
      expect(result.current.step.status).toBe('pending')
      const { approvals } = ApproveTransactionBody.parse(service.posts('/approvals')[0]?.body)
      const [approval] = approvals
      if (!approval || !('metadata' in approval)) throw new Error('not by a passkey')
      const { signature, metadata } = approval
      expect(BigInt(signature.s) <= halfOfP256).toBe(true)
      const client = JSON.parse(metadata.clientDataJSON)
      expect(client.challenge).toBe(Buffer.from(message.slice(2), 'hex').toString('base64url'))
      const { challengeIndex = -1 } = metadata
      expect(metadata.clientDataJSON.slice(challengeIndex)).toMatch(/^"challenge":"/)
      const hash = Buffer.from(
        await crypto.subtle.digest('SHA-256', new TextEncoder().encode(metadata.clientDataJSON)),
      )
      const signed = Buffer.concat([Buffer.from((metadata.authenticatorData as Hex).slice(2), 'hex'), hash])
      const both = Buffer.concat([bytes(signature.r, 32), bytes(signature.s, 32)])
      expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, both)).toBe(true)
      expect(authenticator.asked.at(-1)?.publicKey).toMatchObject({
        rpId: 'shop.example',
        userVerification: 'required',
      })
      unmount()
      sessionStorage.clear()
    }
  })

  test('error: transaction.rejected, and nothing was sent', async () => {
    const { id } = await createPasskey({ name: 'ada' })
    const service = createWalletService(`evm-passkey:${id}`)
    const { result } = renderWalletHook({ service }, () =>
      useTransaction({ walletLocator, client: service.client }),
    )
    authenticator.script.refuse = declined
    await act(() => result.current.send(params))
    expect(result.current.step).toMatchObject({
      status: 'failed',
      error: { code: 'transaction.rejected' },
      transaction: { status: 'awaiting-approval' },
    })
    expect(service.posts('/approvals')).toEqual([])
  })
})
