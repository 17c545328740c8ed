import { join } from 'node:path'
import type { NextConfig } from 'next'

const headers = [
  { key: 'Content-Security-Policy', value: "frame-ancestors 'none'; base-uri 'self'; object-src 'none'" },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=()' },
]

const workspace = join(import.meta.dirname, '../..')

const config: NextConfig = {
  agentRules: false,
  poweredByHeader: false,
  // Every reader of links finds the metadata in the head, not only the crawlers that Next.js knows.
  htmlLimitedBots: /.*/,
  // In this repository `npm run types` checks them, so that `npm start` need not.
  typescript: { ignoreBuildErrors: process.env.KASSA_SKIP_TYPES === '1' },
  // The library is linked from the workspace's root, so modules resolve from there.
  turbopack: {
    root: workspace,
    // Sentences arrive parsed, so that no page downloads a parser of ICU messages.
    resolveAlias: { 'use-intl/format-message': 'use-intl/format-message/format-only' },
  },
  outputFileTracingRoot: workspace,
  headers: async () => [{ source: '/:path*', headers }],
}

export default config
