import { describe, expect, test } from 'vitest'
import { parseConfig, parseSettings, publicUrlFault } from '#base/config/parseConfig.js'

const deployment = {
  KASSA_CHAINS: 'base-sepolia, polygon-amoy',
  KASSA_RPC_BASE_SEPOLIA: 'https://base.example',
  KASSA_RPC_POLYGON_AMOY: 'https://amoy.example',
  KASSA_OPERATOR_KEY: `0x${'1'.repeat(64)}`,
  KASSA_MASTER_KEY: '2'.repeat(64),
}

test('default', () => {
  expect(parseConfig({ KASSA_SANDBOX: '1' })).toMatchObject({
    environment: 'staging',
    isSandbox: true,
    smtp: undefined,
    ipfsRpcUrl: undefined,
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://localhost:4000',
    namespace: 'kassa',
    databaseUrl: undefined,
    quoteTtlMs: 600_000,
    captureMs: 168 * 3_600_000,
    subscriptionDays: 30,
    retention: { repliesMs: 86_400_000, eventsMs: 30 * 86_400_000, mailsMs: undefined },
    limits: {
      writesPerMinute: 120,
      readsPerMinute: 360,
      secretWritesPerMinute: 60,
      secretReadsPerMinute: 120,
    },
    chains: {
      'base-sepolia': { rpcUrl: undefined, confirmations: 1 },
      'polygon-amoy': { rpcUrl: undefined, confirmations: 1 },
      'ethereum-sepolia': { rpcUrl: undefined, confirmations: 1 },
    },
  })
})

test("behavior: in production the operator pays for wallets' gas only if the setting says so", () => {
  const production = { ...deployment, KASSA_ENVIRONMENT: 'production', KASSA_CHAINS: '' }
  expect(parseConfig(deployment).sponsorsGas).toBe(true)
  expect(parseConfig({ ...deployment, KASSA_SPONSOR_GAS: '0' }).sponsorsGas).toBe(false)
  expect(parseConfig(production).sponsorsGas).toBe(false)
  expect(parseConfig({ ...production, KASSA_SPONSOR_GAS: '1' }).sponsorsGas).toBe(true)
})

test('behavior: a missing key fails only its reader', () => {
  const { KASSA_OPERATOR_KEY: _, ...withoutOperator } = deployment
  const settings = parseSettings(withoutOperator)
  expect(settings).toMatchObject({ dataDir: '.kassa/service', databaseUrl: undefined })
  expect(settings.readMasterKey()).toEqual(new Uint8Array(32).fill(0x22))
  expect(() => settings.readOperatorKey()).toThrow('KASSA_OPERATOR_KEY: required')
})

describe('rates', () => {
  const address = `0x${'fe'.repeat(20)}`
  const production = {
    ...deployment,
    KASSA_ENVIRONMENT: 'production',
    KASSA_CHAINS: 'base,ethereum',
    KASSA_RPC_BASE: 'https://base.example',
    KASSA_RPC_ETHEREUM: 'https://ethereum.example',
  }

  test('behavior: main networks have no built-in rate', () => {
    expect(parseConfig(production).rates).toEqual({
      table: {},
      feeds: [],
      url: undefined,
      maxAgeMs: 3_600_000,
    })
    expect(parseConfig({ ...production, KASSA_RATES: '{"usdc":"1"}' }).rates.table).toEqual({ usdc: '1' })
    expect(parseConfig(deployment).rates.table.eth).toBe('3000')
  })

  test('parameters: price feeds, a URL, a maximum age', () => {
    const { rates } = parseConfig({
      ...production,
      KASSA_RATE_FEEDS_ETHEREUM: `eth:${address}, usdc:${address}:90000`,
      KASSA_RATES_URL: 'https://rates.example/usd?key=hunter2',
      KASSA_RATE_MAX_AGE_SECONDS: '600',
    })
    expect(rates).toEqual({
      table: {},
      feeds: [
        { chain: 'ethereum', currency: 'eth', address },
        { chain: 'ethereum', currency: 'usdc', address, maxAgeMs: 90_000_000 },
      ],
      url: 'https://rates.example/usd?key=hunter2',
      maxAgeMs: 600_000,
    })
    const staging = { ...deployment, KASSA_RATES_URL: 'https://rates.example' }
    expect(parseConfig(staging).rates.table).toEqual({})
  })

  test('error: an invalid feed, and two sources of one rate', () => {
    const parse = (change: object) => () => parseConfig({ ...production, ...change })
    const KASSA_RATE_FEEDS_BASE = `eth:${address}`
    expect(parse({ KASSA_RATE_FEEDS_BASE: 'eth' })).toThrow('KASSA_RATE_FEEDS_BASE: expected entries such as')
    expect(parse({ KASSA_RATE_FEEDS_BASE, KASSA_RATES: '{"eth":"3000"}' })).toThrow(
      'KASSA_RATE_FEEDS_BASE: eth already has its rate from KASSA_RATES',
    )
    expect(parse({ KASSA_RATE_FEEDS_BASE, KASSA_RATE_FEEDS_ETHEREUM: `eth:${address}` })).toThrow(
      'KASSA_RATE_FEEDS_ETHEREUM: eth already has its rate from another price feed',
    )
  })

  test('parameters: the accepted currencies', () => {
    const tokens = { KASSA_TOKENS_BASE: `usdc:${address}:6` }
    expect(parseConfig({ ...production, ...tokens, KASSA_CURRENCIES: 'usdc, eth' }).currencies).toEqual([
      'usdc',
      'eth',
    ])
    expect(parseConfig(production).currencies).toBeUndefined()
    expect(() => parseConfig({ ...production, KASSA_CURRENCIES: 'usdc' })).toThrow(
      'KASSA_CURRENCIES: no enabled chain has usdc',
    )
  })
})

test('parameters: tokens of any name that the interface has', () => {
  const address = (digit: string) => `0x${digit.repeat(40)}`
  const parse = (tokens: string, chain = 'base-sepolia') => {
    const suffix = chain.toUpperCase().replaceAll('-', '_')
    const rpc = { [`KASSA_RPC_${suffix}`]: 'https://node.example', [`KASSA_TOKENS_${suffix}`]: tokens }
    return parseConfig({ ...deployment, KASSA_CHAINS: chain, ...rpc }).chains[chain]?.tokens
  }
  expect(parse(`usdt:${address('a')}:6, italianrot:${address('b')}:9`)).toEqual([
    { currency: 'usdt', address: address('a'), decimals: 6 },
    { currency: 'italianrot', address: address('b'), decimals: 9 },
  ])
  const setting = 'KASSA_TOKENS_BASE_SEPOLIA'
  expect(() => parse(`dubloon:${address('a')}:6`)).toThrow(
    `${setting}: dubloon is not a token of the interface`,
  )
  expect(() => parse(`usdt:${address('a')}:6,usdt:${address('b')}:6`)).toThrow(
    `${setting}: usdt is listed twice`,
  )
  expect(() => parse(`eth:${address('a')}:18`)).toThrow(`${setting}: eth is the chain's native currency`)
  for (const name of ['pol', 'matic']) {
    expect(() => parse(`${name}:${address('a')}:18`, 'polygon-amoy')).toThrow(
      `KASSA_TOKENS_POLYGON_AMOY: ${name} is the chain's native currency`,
    )
  }
})

test('parameters: the simulator that replays calls', () => {
  const simulationUrl = 'https://simulator.example/84532?from={from}&to={to}&data={data}'
  const parse = (url: string) => parseConfig({ ...deployment, KASSA_SIMULATION_BASE_SEPOLIA: url })
  expect(parse(simulationUrl).chains['base-sepolia']).toMatchObject({ simulationUrl })
  expect(parse('').chains['base-sepolia']).not.toHaveProperty('simulationUrl')
  expect(() => parse('javascript:{to}{data}')).toThrow(
    'KASSA_SIMULATION_BASE_SEPOLIA: expected an http or https URL',
  )
  expect(() => parse('https://simulator.example/{to}')).toThrow(
    'KASSA_SIMULATION_BASE_SEPOLIA: expected the placeholders {to} and {data}',
  )
})

test('parameters: the explorer that links lead to', () => {
  const explorerUrl = 'https://explorer.example/base'
  const { chains } = parseConfig({ ...deployment, KASSA_EXPLORER_BASE_SEPOLIA: `${explorerUrl}/` })
  expect(chains['base-sepolia']).toMatchObject({ explorerUrl })
  expect(chains['polygon-amoy']).not.toHaveProperty('explorerUrl')
  expect(() => parseConfig({ ...deployment, KASSA_EXPLORER_BASE_SEPOLIA: 'javascript:alert(1)' })).toThrow(
    'KASSA_EXPLORER_BASE_SEPOLIA: expected an http or https URL',
  )
})

test('parameters: the highest gas price to offer', () => {
  const config = parseConfig({
    ...deployment,
    KASSA_ENVIRONMENT: 'production',
    KASSA_CHAINS: 'ethereum,polygon,base',
    KASSA_RPC_ETHEREUM: 'https://ethereum.example',
    KASSA_RPC_POLYGON: 'https://polygon.example',
    KASSA_RPC_BASE: 'https://base.example',
    KASSA_MAX_FEE_GWEI_BASE: '40',
  })
  expect(Object.values(config.chains).map(({ maxFeeGwei }) => maxFeeGwei)).toEqual([5000, 20_000, 40])
  expect(parseConfig(deployment).chains['base-sepolia']?.maxFeeGwei).toBeUndefined()
})

test('parameters: a deployment', () => {
  const config = parseConfig({
    ...deployment,
    KASSA_PUBLIC_URL: 'https://pay.example/',
    KASSA_CONFIRMATIONS_BASE_SEPOLIA: '12',
    KASSA_TOKENS_BASE_SEPOLIA: `usdc:0x${'a'.repeat(40)}:6`,
    KASSA_RATES: '{"eth":"2500.5"}',
    KASSA_SUBSCRIPTION_DAYS: '365',
    KASSA_CAPTURE_HOURS: '24',
    KASSA_REPLY_RETENTION_HOURS: '48',
    KASSA_EVENT_RETENTION_DAYS: '7',
    KASSA_MAIL_RETENTION_DAYS: '90',
    KASSA_PORT: '',
    KASSA_SMTP_URL: 'smtps://kassa:hunter2@mail.example',
    KASSA_MAIL_FROM: 'shop@recto.example',
    KASSA_IPFS_RPC_URL: 'http://kassa:hunter2@ipfs:5001',
    KASSA_NFT_CONTRACTS_BASE_SEPOLIA: `0x${'b'.repeat(40)}:1200, 0x${'c'.repeat(40)}`,
    KASSA_OTHER_MASTER_KEYS: `${'33'.repeat(32)}, ${'44'.repeat(32)}`,
    KASSA_SANCTIONED_ADDRESSES: `0x${'D'.repeat(40)}, 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU`,
  })
  expect(config.otherMasterKeys).toEqual([new Uint8Array(32).fill(0x33), new Uint8Array(32).fill(0x44)])
  expect(config.sanctionedAddresses).toEqual(
    new Set([`0x${'d'.repeat(40)}`, '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU']),
  )
  expect(config.ipfsRpcUrl).toBe('http://kassa:hunter2@ipfs:5001')
  expect(config.smtp).toEqual({ url: 'smtps://kassa:hunter2@mail.example', from: 'shop@recto.example' })
  expect(config.publicUrl).toBe('https://pay.example')
  expect(config.port).toBe(4000)
  expect(config.subscriptionDays).toBe(365)
  expect(config.captureMs).toBe(86_400_000)
  expect(config.retention).toEqual({
    repliesMs: 2 * 86_400_000,
    eventsMs: 7 * 86_400_000,
    mailsMs: 90 * 86_400_000,
  })
  expect(config.rates.table).toMatchObject({ eth: '2500.5', usdc: '1' })
  expect(config.masterKey).toEqual(new Uint8Array(32).fill(0x22))
  expect(config.chains).toEqual({
    'base-sepolia': {
      rpcUrl: 'https://base.example',
      confirmations: 12,
      nftContracts: [
        { address: `0x${'b'.repeat(40)}`, fromBlock: 1200n },
        { address: `0x${'c'.repeat(40)}`, fromBlock: 0n },
      ],
      rateFeeds: [],
      tokens: [{ currency: 'usdc', address: `0x${'a'.repeat(40)}`, decimals: 6 }],
    },
    'polygon-amoy': {
      rpcUrl: 'https://amoy.example',
      confirmations: 5,
      nftContracts: [],
      rateFeeds: [],
      tokens: [],
    },
  })
})

test('default: a second node is KASSA_RPC_FALLBACK_<CHAIN>', () => {
  const url = 'https://second.example/key'
  const { chains } = parseConfig({ ...deployment, KASSA_RPC_FALLBACK_BASE_SEPOLIA: url })
  expect(chains['base-sepolia']?.fallbackUrl).toBe(url)
})

test('default: a node announces its blocks where KASSA_WS_<CHAIN> says', () => {
  const url = 'wss://base.example/key'
  const { chains } = parseConfig({ ...deployment, KASSA_WS_BASE_SEPOLIA: url })
  expect(chains['base-sepolia']?.headsUrl).toBe(url)
})

test('default: the public URL is the origin of KASSA_PUBLIC_URL', () => {
  const parse = (url: string) => parseConfig({ ...deployment, KASSA_PUBLIC_URL: url }).publicUrl
  expect(parse('https://Pay.example:443//')).toBe('https://pay.example')
  expect(parse('http://10.0.0.1:8080')).toBe('http://10.0.0.1:8080')
})

test.each([
  'https://shop.example/kassa',
  'https://shop.example/api/',
  'https://shop.example/?a=1',
  'https://shop.example/#a',
  'https://u:hunter2@shop.example',
])('error: KASSA_PUBLIC_URL is %s', (url) => {
  expect(() => parseConfig({ ...deployment, KASSA_PUBLIC_URL: url })).toThrow(
    /^KASSA_PUBLIC_URL: expected a scheme and a host alone, such as https:\/\/pay\.example\. The service cannot be served below a path/,
  )
})

test.each([
  ['production', 'https://pay.example', undefined],
  ['production', 'http://localhost:4000', /absent or leads to this machine/],
  ['production', 'http://127.0.0.1', /absent or leads to this machine/],
  ['production', 'https://[::1]', /absent or leads to this machine/],
  ['production', 'http://pay.example', /is not encrypted/],
  ['staging', 'http://pay.example', /is not encrypted/],
  ['staging', 'http://localhost:4000', undefined],
] as const)('behavior: in %s, %s has the fault %s', (environment, publicUrl, fault) => {
  const found = publicUrlFault({ environment, publicUrl })
  if (fault) expect(found).toMatch(fault)
  else expect(found).toBeUndefined()
})

test.each([
  ['KASSA_ENVIRONMENT', { KASSA_ENVIRONMENT: 'test' }],
  ['KASSA_PORT', { ...deployment, KASSA_PORT: '80000' }],
  ['KASSA_PORT', { ...deployment, KASSA_PORT: 'x' }],
  ['DATABASE_URL', { ...deployment, DATABASE_URL: 'mysql://u:hunter2@db' }],
  ['DATABASE_DIRECT_URL', { ...deployment, DATABASE_DIRECT_URL: 'mysql://u:hunter2@db' }],
  ['KASSA_SANDBOX', { KASSA_SANDBOX: '1', KASSA_ENVIRONMENT: 'production' }],
  ['KASSA_CHAINS', { ...deployment, KASSA_CHAINS: 'nowhere' }],
  ['KASSA_CHAINS', { ...deployment, KASSA_CHAINS: 'base' }],
  ['KASSA_RPC_BASE_SEPOLIA', { ...deployment, KASSA_RPC_BASE_SEPOLIA: undefined }],
  ['KASSA_RPC_BASE_SEPOLIA', { ...deployment, KASSA_RPC_BASE_SEPOLIA: 'ftp://hunter2' }],
  ['KASSA_RPC_FALLBACK_BASE_SEPOLIA', { ...deployment, KASSA_RPC_FALLBACK_BASE_SEPOLIA: 'ftp://hunter2' }],
  ['KASSA_WS_BASE_SEPOLIA', { ...deployment, KASSA_WS_BASE_SEPOLIA: 'https://u:hunter2@node.example' }],
  ['KASSA_TOKENS_BASE_SEPOLIA', { ...deployment, KASSA_TOKENS_BASE_SEPOLIA: 'usdc' }],
  ['KASSA_NFT_CONTRACTS_BASE_SEPOLIA', { ...deployment, KASSA_NFT_CONTRACTS_BASE_SEPOLIA: 'hunter2' }],
  ['KASSA_OTHER_MASTER_KEYS', { ...deployment, KASSA_OTHER_MASTER_KEYS: `${'33'.repeat(32)},hunter2` }],
  ['KASSA_SANCTIONED_ADDRESSES', { ...deployment, KASSA_SANCTIONED_ADDRESSES: 'hunter2' }],
  ['KASSA_SANCTIONED_ADDRESSES', { ...deployment, KASSA_SANCTIONED_ADDRESSES: 'd'.repeat(40) }],
  ['KASSA_OPERATOR_KEY', { ...deployment, KASSA_OPERATOR_KEY: undefined }],
  ['KASSA_OPERATOR_KEY', { ...deployment, KASSA_OPERATOR_KEY: 'hunter2' }],
  ['KASSA_MASTER_KEY', { ...deployment, KASSA_MASTER_KEY: undefined }],
  ['KASSA_OPERATOR_KEY', { KASSA_SANDBOX: '1', KASSA_RPC_BASE_SEPOLIA: 'https://base.example' }],
  [
    'KASSA_SMTP_URL',
    { ...deployment, KASSA_SMTP_URL: 'https://u:hunter2@mail', KASSA_MAIL_FROM: 'a@b.example' },
  ],
  ['KASSA_SMTP_URL', { ...deployment, KASSA_SMTP_URL: 'smtp:hunter2', KASSA_MAIL_FROM: 'a@b.example' }],
  ['KASSA_MAIL_FROM', { ...deployment, KASSA_SMTP_URL: 'smtp://u:hunter2@mail.example' }],
  ['KASSA_MAIL_FROM', { ...deployment, KASSA_SMTP_URL: 'smtp://mail.example', KASSA_MAIL_FROM: 'hunter2' }],
  ['KASSA_IPFS_RPC_URL', { ...deployment, KASSA_IPFS_RPC_URL: 'ftp://u:hunter2@ipfs' }],
  ['KASSA_RATES', { ...deployment, KASSA_RATES: '{"eth":3000}' }],
  ['KASSA_RATES', { ...deployment, KASSA_RATES: 'eth' }],
])('error: %s, %#', (variable, env) => {
  let message = ''
  try {
    parseConfig(env)
  } catch (error) {
    message = error instanceof Error ? error.message : ''
  }
  expect(message).toContain(variable)
  expect(message).not.toContain('hunter2')
})

test('parameters: KASSA_FINALITY: the chain’s own finality on main networks, unless a number is set', () => {
  const nodes = ['ETHEREUM', 'AVALANCHE', 'BASE', 'ZORA', 'POLYGON'].map((name) => [
    `KASSA_RPC_${name}`,
    'https://node.example',
  ])
  const { chains } = parseConfig({
    ...deployment,
    ...Object.fromEntries(nodes),
    KASSA_ENVIRONMENT: 'production',
    KASSA_CHAINS: 'ethereum,avalanche,base,zora,polygon',
    KASSA_CONFIRMATIONS_BASE: '30',
    KASSA_CONFIRMATIONS_ZORA: '40',
    KASSA_FINALITY_ZORA: 'finalized',
    KASSA_FINALITY_POLYGON: 'safe',
  })
  expect(chains).toMatchObject({
    ethereum: { finality: 'safe', confirmations: 12 },
    avalanche: { finality: 'finalized', confirmations: 12 },
    base: { confirmations: 30 },
    zora: { finality: 'finalized', confirmations: 40 },
    polygon: { finality: 'safe', confirmations: 12 },
  })
  expect(chains.base?.finality).toBeUndefined()
  const required = Object.entries(chains).filter(([, { isFinalityRequired }]) => isFinalityRequired)
  expect(required.map(([name]) => name)).toEqual(['polygon'])
})
