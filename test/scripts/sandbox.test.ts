import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSandbox, saveSandbox } from '../../scripts/lib/sandbox.mjs'

const folder = (): string => join(mkdtempSync(join(tmpdir(), 'kassa-sandbox-')), 'data')

test('default', () => {
  const dataDir = folder()
  const sandbox = openSandbox(dataDir)
  expect(sandbox.serverKey).toMatch(/^sk_staging_[\w-]{43}$/)
  expect(sandbox.clientKey).toMatch(/^ck_staging_[\w-]{43}$/)
  expect(sandbox.operatorKey).toMatch(/^0x[0-9a-f]{64}$/)
  expect(sandbox.masterKey).toMatch(/^[0-9a-f]{64}$/)
  expect(openSandbox(dataDir)).toEqual(sandbox)
})

test('behavior: its secrets are for their owner’s eyes and differ from folder to folder', () => {
  const dataDir = folder()
  const sandbox = openSandbox(dataDir)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(statSync(join(dataDir, 'sandbox.json')).mode & 0o777).toBe(0o600)
  expect(openSandbox(folder()).serverKey).not.toBe(sandbox.serverKey)
})

test('behavior: moved ports are remembered', () => {
  const dataDir = folder()
  const sandbox = openSandbox(dataDir)
  saveSandbox(dataDir, { ...sandbox, ports: { service: 4001, storefront: 3001 } })
  expect(openSandbox(dataDir).ports).toEqual({ service: 4001, storefront: 3001 })
})
