import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createMasterKey } from '#adapters/kms/openVault.js'
import { createVault } from '#adapters/kms/vault.js'
import { keyIdOf } from '#base/ports/vault.js'

const [first, second] = [randomBytes(32), randomBytes(32)].map((key) => createMasterKey(key, randomBytes))
if (!first || !second) throw new Error('two master keys are needed')
const vault = createVault({ wrapper: first, randomBytes })
const key = randomBytes(32)

const flip = (encrypted: string, part: number, at: number): string => {
  const parts = encrypted.split('.')
  const bytes = Buffer.from(parts[part] ?? '', 'base64')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  parts[part] = bytes.toString('base64')
  return parts.join('.')
}

describe('createVault', () => {
  test('default: decrypts what it encrypted, and nothing of the key shows', async () => {
    const encrypted = await vault.encrypt(key, 'ada')
    expect(Buffer.from(await vault.decrypt(encrypted, 'ada')).equals(key)).toBe(true)
    expect(encrypted).toMatch(new RegExp(`^v2\\.${first.keyId}\\.[A-Za-z0-9+/=]+\\.[A-Za-z0-9+/=]+$`))
    expect(keyIdOf(encrypted)).toBe(first.keyId)
    expect(encrypted).not.toContain(key.toString('base64').slice(0, 8))
    expect(await vault.encrypt(key, 'ada')).not.toBe(encrypted)
  })

  test('parameters: others, which are read from and never written to', async () => {
    const encrypted = await vault.encrypt(key, 'ada')
    const next = createVault({ wrapper: second, others: [first], randomBytes })
    expect(Buffer.from(await next.decrypt(encrypted, 'ada')).equals(key)).toBe(true)
    expect(keyIdOf(await next.encrypt(key, 'ada'))).toBe(second.keyId)
    expect([next.keyId, next.hasKey(first.keyId), vault.hasKey(second.keyId)]).toEqual([
      second.keyId,
      true,
      false,
    ])
  })

  test('behavior: under another master key the secret stays, and its data key with it', async () => {
    const encrypted = await vault.encrypt(key, 'ada')
    const next = createVault({ wrapper: second, others: [first], randomBytes })
    const rewrapped = await next.rewrap(encrypted, 'ada')
    expect(rewrapped.split('.').at(-1)).toBe(encrypted.split('.').at(-1))
    expect(await next.rewrap(rewrapped, 'ada')).toBe(rewrapped)
    const last = createVault({ wrapper: second, randomBytes })
    expect(Buffer.from(await last.decrypt(rewrapped, 'ada')).equals(key)).toBe(true)
    await expect(vault.decrypt(rewrapped, 'ada')).rejects.toThrow(`the master key ${second.keyId}`)
    await expect(next.rewrap(encrypted, 'bob')).rejects.toThrow()
    await expect(next.rewrap(flip(encrypted, 3, 20), 'ada')).rejects.toThrow()
  })

  test('behavior: fails for another owner, under another master key, or when altered', async () => {
    const encrypted = await vault.encrypt(key, 'ada')
    await expect(vault.decrypt(encrypted, 'bob')).rejects.toThrow()
    const other = createVault({ wrapper: second, randomBytes })
    await expect(other.decrypt(encrypted, 'ada')).rejects.toThrow('which is not configured')
    const renamed = encrypted.replace(first.keyId, second.keyId)
    await expect(other.decrypt(renamed, 'ada')).rejects.toThrow()
    for (const part of [2, 3]) {
      for (const at of [0, 20, 59]) {
        await expect(vault.decrypt(flip(encrypted, part, at), 'ada')).rejects.toThrow()
      }
    }
  })

  test.each(['', 'v1.a.b', 'v2.a.b', 'v2..b.c', 'v2.a.b.c.d', 'plain'])(
    'error: %j, which no vault wrote',
    async (text) => {
      await expect(vault.decrypt(text, 'ada')).rejects.toThrow('not a secret of this vault')
    },
  )

  test('error: a short master key, and an id that could not be read back', () => {
    expect(() => createMasterKey(randomBytes(16), randomBytes)).toThrow('32 bytes')
    expect(() => createVault({ wrapper: { ...first, keyId: 'a.b' }, randomBytes })).toThrow('a dot')
  })
})
