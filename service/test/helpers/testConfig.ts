import { parseConfig } from '#base/config/parseConfig.js'

/** The sandbox's own settings, with limits high enough that only tests of limits reach them. */
export const testConfig = {
  ...parseConfig({ KASSA_SANDBOX: '1', KASSA_LOG_LEVEL: 'info' }),
  refunds: { perPayerPerHour: 100_000, perProjectPerHour: 100_000, minimums: { usdc: '1', usdxm: '1' } },
  claims: { perNetworkPerHour: 100_000, perProjectPerHour: 100_000 },
  limits: {
    writesPerMinute: 100_000,
    readsPerMinute: 100_000,
    clientWritesPerMinute: 100_000,
    clientReadsPerMinute: 100_000,
    secretWritesPerMinute: 100_000,
    secretReadsPerMinute: 100_000,
    addressSecretWritesPerMinute: 100_000,
    addressSecretReadsPerMinute: 100_000,
    filesPerMinute: 100_000,
  },
}
