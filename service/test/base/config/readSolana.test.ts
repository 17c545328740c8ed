import { describe, expect, test } from 'vitest'
import { parseConfig } from '#base/config/parseConfig.js'

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const programs =
  'bubblegum:BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY,compression:cmtDvXumGCrqC1Age74AVPhSRVXJMd8PJS91L8KbNCK,noop:noopb9bkMVfRPU8AsbpTUg8AQkHtKwMYZiFUjNRtMmV'
const deployment = {
  KASSA_CHAINS: 'solana',
  KASSA_RPC_SOLANA: 'https://solana.example',
  KASSA_OPERATOR_KEY: `0x${'1'.repeat(64)}`,
  KASSA_SOLANA_OPERATOR_KEY: '3'.repeat(64),
  KASSA_MASTER_KEY: '2'.repeat(64),
}
const read = (more: Record<string, string> = {}) => parseConfig({ ...deployment, ...more }).chains.solana

test('default: a test network is final when confirmed, and nothing is compressed', () => {
  expect(read()).toEqual({
    rpcUrl: 'https://solana.example',
    confirmations: 1,
    nftContracts: [],
    tokens: [],
    programs: undefined,
  })
})

test('default: the main network is final when finalized, and has an explorer', () => {
  expect(read({ KASSA_ENVIRONMENT: 'production' })).toMatchObject({
    finality: 'finalized',
    explorerUrl: 'https://solscan.io',
  })
  const quick = { KASSA_ENVIRONMENT: 'production', KASSA_FINALITY_SOLANA: 'confirmed' }
  expect(read(quick)).not.toHaveProperty('finality')
})

test('parameters: tokens, and the programs of compressed tokens', () => {
  expect(read({ KASSA_TOKENS_SOLANA: `usdc:${usdc}:6`, KASSA_SOLANA_PROGRAMS: programs })).toMatchObject({
    tokens: [{ currency: 'usdc', address: usdc, decimals: 6 }],
    programs: { bubblegum: 'BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY' },
  })
})

test('parameters: the key in hex, and the file of solana-keygen', () => {
  const bytes = Array.from({ length: 64 }, (_, at) => at)
  const config = parseConfig({ ...deployment, KASSA_SOLANA_OPERATOR_KEY: JSON.stringify(bytes) })
  expect(config.solanaOperatorKey).toEqual(Uint8Array.from(bytes.slice(0, 32)))
  expect(parseConfig(deployment).solanaOperatorKey).toEqual(new Uint8Array(32).fill(0x33))
})

test('default: a second node is KASSA_RPC_FALLBACK_SOLANA', () => {
  const url = 'https://second.example/key'
  expect(read({ KASSA_RPC_FALLBACK_SOLANA: url })?.fallbackUrl).toBe(url)
})

describe('error: ConfigError', () => {
  test.each([
    ['KASSA_RPC_SOLANA', { KASSA_RPC_SOLANA: '' }],
    ['KASSA_RPC_SOLANA', { KASSA_RPC_SOLANA: 'ftp://node' }],
    ['KASSA_RPC_FALLBACK_SOLANA', { KASSA_RPC_FALLBACK_SOLANA: 'ftp://node' }],
    ['KASSA_FINALITY_SOLANA', { KASSA_FINALITY_SOLANA: 'safe' }],
    ...['CONFIRMATIONS', 'MAX_FEE_GWEI', 'NFT_CONTRACTS', 'RATE_FEEDS', 'SIMULATION', 'WS'].map(
      (name): [string, Record<string, string>] => [`KASSA_${name}_SOLANA`, { [`KASSA_${name}_SOLANA`]: '1' }],
    ),
    ['KASSA_TOKENS_SOLANA', { KASSA_TOKENS_SOLANA: `usdc:0x${'11'.repeat(20)}:6` }],
    ['KASSA_TOKENS_SOLANA', { KASSA_TOKENS_SOLANA: `usdc:${'z'.repeat(44)}:6` }],
    ['KASSA_SOLANA_OPERATOR_KEY', { KASSA_SOLANA_OPERATOR_KEY: '' }],
    ['KASSA_SOLANA_OPERATOR_KEY', { KASSA_SOLANA_OPERATOR_KEY: '[1, 2]' }],
    ['KASSA_SOLANA_PROGRAMS', { KASSA_SOLANA_PROGRAMS: `bubblegum:${usdc}` }],
    ['KASSA_SOLANA_PROGRAMS', { KASSA_SOLANA_PROGRAMS: `${programs},other:${usdc}` }],
    ['KASSA_SOLANA_PROGRAMS', { KASSA_SOLANA_PROGRAMS: programs.replace('BGUM', '') }],
  ])('%s', (variable, more) => {
    expect(() => parseConfig({ ...deployment, ...more } as Record<string, string>)).toThrow(`${variable}: `)
  })
})
