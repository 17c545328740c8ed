import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createVault } from '../../src/wallets/vault.js'

const vault = createVault({ masterKey: randomBytes(32), randomBytes })
const key = randomBytes(32)

describe('createVault', () => {
  test('default: opens what it closed, and nothing of the key shows', () => {
    const encrypted = vault.encrypt(key, 'ada')
    expect(Buffer.from(vault.decrypt(encrypted, 'ada')).equals(key)).toBe(true)
    expect(encrypted).not.toContain(key.toString('base64').slice(0, 8))
    expect(vault.encrypt(key, 'ada')).not.toBe(encrypted)
  })

  test('behavior: neither for another owner, nor under another master key, nor when altered', () => {
    const encrypted = vault.encrypt(key, 'ada')
    expect(() => vault.decrypt(encrypted, 'bob')).toThrow()
    const other = createVault({ masterKey: randomBytes(32), randomBytes })
    expect(() => other.decrypt(encrypted, 'ada')).toThrow()
    const [version, wrapped, sealed = ''] = encrypted.split('.')
    const bytes = Buffer.from(sealed, 'base64')
    bytes[20] = (bytes[20] ?? 0) ^ 1
    expect(() => vault.decrypt([version, wrapped, bytes.toString('base64')].join('.'), 'ada')).toThrow()
    expect(() => vault.decrypt('v0.a.b', 'ada')).toThrow('not a key of this vault')
  })

  test('error: a short master key', () => {
    expect(() => createVault({ masterKey: randomBytes(16), randomBytes })).toThrow('32 bytes')
  })
})
