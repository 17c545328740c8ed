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
  // The library is linked from the workspace's root, so modules resolve from there.
  turbopack: { root: workspace },
  outputFileTracingRoot: workspace,
  headers: async () => [{ source: '/:path*', headers }],
}

export default config
