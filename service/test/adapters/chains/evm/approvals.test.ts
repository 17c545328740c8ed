import { readApproval } from 'kassa/engine'
import { type Hex, hashMessage, numberToHex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { createPasskey, type PasskeyChange } from '../../../helpers/createPasskey.js'

const message = `0x${'5a'.repeat(32)}`
const other = `0x${'a5'.repeat(32)}`

describe('an account’s signature', () => {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  const signer = { kind: 'account', address: account.address } as const
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const signMessage = (raw: string) => account.signMessage({ message: { raw: raw as Hex } })
  const read = (signature: string, from: string = message) =>
    readApproval(signer, from, { signer: account.address, signature })
  const body = (signature: string) => signature.slice(0, 130)

  test('default: it is encoded as the contract accepts it', async () => {
    const signature = await signMessage(message)
    expect(await read(signature)).toEqual({ signature })
    expect(await read(signature.toUpperCase().replace('0X', '0x'))).toMatchObject({
      signature: expect.any(String),
    })
  })

  test('parameters: a last byte that counts from 0', async () => {
    const signature = await signMessage(message)
    const parity = signature.endsWith('1b') ? '00' : '01'
    expect(await read(`${body(signature)}${parity}`)).toEqual({ signature })
  })

  test('error: the same, malleated', async () => {
    const signature = await signMessage(message)
    const s = order - BigInt(`0x${signature.slice(66, 130)}`)
    const last = signature.endsWith('1b') ? '1c' : '1b'
    const malleated = `${signature.slice(0, 66)}${numberToHex(s, { size: 32 }).slice(2)}${last}`
    expect(await read(malleated)).toEqual({ fault: expect.stringContaining('smaller') })
  })

  test('error: another message, another signer, not a message', async () => {
    const fault = 'it is not the signature of this signer over this message'
    expect(await read(await signMessage(other))).toEqual({ fault })
    const stranger = privateKeyToAccount(generatePrivateKey())
    expect(await read(await stranger.signMessage({ message: { raw: message as Hex } }))).toEqual({ fault })
    expect(await read(await sign({ hash: message as Hex, privateKey, to: 'hex' }))).toEqual({ fault })
    expect(await read(await sign({ hash: hashMessage(message), privateKey, to: 'hex' }))).toEqual({ fault })
  })

  test.each([
    ['0x', 'expected 65 bytes'],
    ['nonsense', 'expected 65 bytes'],
    [`0x${'00'.repeat(64)}`, 'expected 65 bytes'],
    [`0x${'00'.repeat(66)}`, 'expected 65 bytes'],
    [`0x${'00'.repeat(65)}`, 'it is not the signature'],
    [`0x${'00'.repeat(64)}02`, 'neither 27 nor 28'],
    [`0x${'00'.repeat(64)}1d`, 'neither 27 nor 28'],
    [`0x${'ff'.repeat(65)}`, 'neither 27 nor 28'],
    [`0x${'ff'.repeat(64)}1b`, 'smaller'],
    [`0x${'ff'.repeat(32)}${'11'.repeat(32)}1b`, 'it is not the signature'],
  ])('error: %s', async (signature, fault) => {
    expect(await read(signature)).toEqual({ fault: expect.stringContaining(fault) })
  })

  test('error: what a passkey signs', async () => {
    const approval = createPasskey().approve(message)
    expect(await readApproval(signer, message, approval)).toEqual({
      fault: 'expected the signature of an account, 65 bytes in hex',
    })
  })
})

describe('a passkey’s signature', () => {
  const passkey = createPasskey()
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const signer = { kind: 'passkey', publicKey: passkey.publicKey } as const
  const read = (change: PasskeyChange = {}, signed = message) =>
    readApproval(signer, message, passkey.approve(signed, change))

  test('default', async () => {
    expect(await read()).toEqual({ signature: expect.stringMatching(/^0x[0-9a-f]+$/) })
  })

  test('parameters: decimal numbers, and wrong positions', async () => {
    const { signature, metadata } = passkey.approve(message)
    const approval = {
      signer: 'evm-passkey:test',
      signature: { r: BigInt(signature.r).toString(), s: BigInt(signature.s).toString() },
      metadata: { ...metadata, challengeIndex: 9999, typeIndex: -1, userVerificationRequired: false },
    }
    const plain = await readApproval(signer, message, { signer: '', signature, metadata })
    expect(await readApproval(signer, message, approval)).toEqual(plain)
    const { x, y } = passkey.publicKey
    const decimal = { x: BigInt(x).toString(), y: BigInt(y).toString() }
    expect(await readApproval({ kind: 'passkey', publicKey: decimal }, message, approval)).toEqual(plain)
  })

  test('behavior: the greater s gives the same signature', async () => {
    const low = passkey.approve(message)
    const s = order - BigInt(low.signature.s)
    const high = { ...low, signature: { ...low.signature, s: numberToHex(s) } }
    const written = await readApproval(signer, message, low)
    expect(written).toEqual({ signature: expect.any(String) })
    expect(await readApproval(signer, message, high)).toEqual(written)
    expect(await read({ isHigh: true })).toEqual({ signature: expect.any(String) })
    const fault = 'it is not the signature of this passkey over this message'
    const wrong = { ...low, signature: { ...low.signature, s: numberToHex(s - 1n) } }
    expect(await readApproval(signer, message, wrong)).toEqual({ fault })
  })

  test.each<[string, PasskeyChange, string]>([
    ['no user', { flags: 0x04 }, 'its authenticator did not detect the user'],
    ['a user who was not verified', { flags: 0x01 }, 'its authenticator did not verify the user'],
    ['a backup that cannot be', { flags: 0x15 }, 'contradict each other'],
    ['a registration', { clientData: { type: 'webauthn.create' } }, 'not of the type webauthn.get'],
    ['another challenge', { clientData: { challenge: 'AAAA' } }, 'its challenge is for another message'],
    ['no JSON', { clientDataJSON: '{' }, 'its clientDataJSON is not JSON'],
    ['no object', { clientDataJSON: 'null' }, 'its clientDataJSON is not an object'],
  ])('error: %s', async (_, change, fault) => {
    expect(await read(change)).toEqual({ fault: expect.stringContaining(fault) })
  })

  test('error: JSON that the contract would not read', async () => {
    const challenge = Buffer.from('5a'.repeat(32), 'hex').toString('base64url')
    const spaced = `{"type" : "webauthn.get", "challenge" : "${challenge}"}`
    expect(await read({ clientDataJSON: spaced })).toEqual({
      fault: expect.stringContaining('as browsers do'),
    })
  })

  test('error: another message, another passkey, other bytes', async () => {
    expect(await read({}, other)).toEqual({ fault: 'its challenge is for another message' })
    const fault = 'it is not the signature of this passkey over this message'
    expect(await readApproval(signer, message, createPasskey().approve(message))).toEqual({ fault })
    const approval = passkey.approve(message)
    const { authenticatorData } = approval.metadata
    const changed = [
      { authenticatorData: `${authenticatorData.slice(0, -2)}ff` },
      { clientDataJSON: approval.metadata.clientDataJSON.replace('3000', '3001') },
    ]
    for (const change of changed) {
      const metadata = { ...approval.metadata, ...change }
      expect(await readApproval(signer, message, { ...approval, metadata })).toEqual({ fault })
    }
  })

  test("error: too few or too many bytes, and numbers outside the curve's order", async () => {
    const approval = passkey.approve(message)
    const withData = (authenticatorData: string) =>
      readApproval(signer, message, { ...approval, metadata: { ...approval.metadata, authenticatorData } })
    expect(await withData('0x')).toEqual({ fault: expect.stringContaining('too short') })
    expect(await withData(`0x${'05'.repeat(36)}`)).toEqual({ fault: expect.stringContaining('too short') })
    expect(await withData(`0x${'05'.repeat(1025)}`)).toEqual({ fault: expect.stringContaining('too long') })
    for (const s of ['0x0', '0', toHex(2n ** 256n - 1n)]) {
      const signature = { ...approval.signature, s }
      expect(await readApproval(signer, message, { ...approval, signature })).toHaveProperty('fault')
    }
    const r = '9'.repeat(78)
    expect(
      await readApproval(signer, message, { ...approval, signature: { ...approval.signature, r } }),
    ).toHaveProperty('fault')
    const publicKey = { x: '0x1', y: '0x1' }
    expect(await readApproval({ kind: 'passkey', publicKey }, message, approval)).toHaveProperty('fault')
  })

  test('error: what an account signs', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const signature = await account.signMessage({ message: { raw: message as Hex } })
    expect(await readApproval(signer, message, { signer: '', signature })).toEqual({
      fault: 'expected {r, s} of a passkey, with its metadata',
    })
  })
})
