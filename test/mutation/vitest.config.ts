import { readFileSync } from 'node:fs'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const file = process.env.KASSA_REPLACED_SOURCES
const replaced: Record<string, string> = file ? JSON.parse(readFileSync(file, 'utf8')) : {}

/** Runs tests of the service on sources of which `npm run mutate` has replaced some. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  plugins: [
    { name: 'replaced-sources', enforce: 'pre', load: (id) => replaced[id.split('?')[0] ?? ''] ?? null },
  ],
  ssr: { resolve: { conditions: ['@kassa/source', ...defaultServerConditions] } },
  test: {
    include: process.env.KASSA_MUTATION_TESTS?.split(';') ?? ['service/test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: 0,
    maxWorkers: 2,
  },
})
