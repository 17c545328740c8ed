import { existsSync } from 'node:fs'
import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { reactCompiler } from './test/helpers/reactCompiler.js'

/** Inside the repository `kassa/...` means its source, so nothing has to be built before a test runs. */
const source = {
  resolve: { conditions: ['@kassa/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@kassa/source', ...defaultServerConditions] } },
}

/** A worker loads its modules once for all its files, because loading them takes longer than most tests. */
const shared = { isolate: false } as const

/** Tests that replace modules need modules of their own. */
const mocked = '**/*.mocked.test.ts'

/** Many tests drive the real service on a real chain, on machines that are busy. */
const slow = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 20_000 } } }

const projects: TestProjectInlineConfiguration[] = [
  {
    ...source,
    test: {
      name: 'unit',
      environment: 'node',
      setupFiles: 'test/helpers/nodeFetch.ts',
      include: ['test/**/*.test.ts', 'clients/*.test.ts'],
      exclude: ['test/e2e/**', 'test/simulation/**', 'test/package/**', mocked],
      ...shared,
      ...slow,
    },
  },
  {
    ...source,
    test: { name: 'mocked', environment: 'node', include: [mocked], ...slow },
  },
  {
    ...source,
    test: {
      name: 'dom',
      environment: './test/helpers/domWithNetwork.ts',
      include: ['test/**/*.test.tsx'],
      globalSetup: 'test/helpers/serveShop.ts',
      setupFiles: 'test/helpers/strictDom.ts',
      ...shared,
      ...slow,
    },
  },
  {
    ...source,
    // Tests of the parts and hooks once more, where the React Compiler memoizes the library and its callers.
    plugins: [reactCompiler()],
    test: {
      name: 'compiled',
      environment: './test/helpers/domWithNetwork.ts',
      include: ['test/{components/checkout,hooks,wallet}/**/*.test.tsx'],
      globalSetup: 'test/helpers/serveShop.ts',
      setupFiles: 'test/helpers/strictDom.ts',
      ...shared,
      ...slow,
    },
  },
  {
    // The packages as they would be published, so `kassa` means what was built.
    test: {
      name: 'package',
      environment: 'node',
      include: ['test/package/**/*.test.ts'],
      globalSetup: 'test/package/build.ts',
      // Compilers, several times over.
      testTimeout: 240_000,
      hookTimeout: 60_000,
    },
  },
  {
    ...source,
    test: {
      name: 'examples',
      environment: 'happy-dom',
      // Not shared: some of these replace modules that others have loaded.
      include: ['examples/*/test/**/*.test.{ts,tsx}'],
      ...slow,
    },
  },
  {
    ...source,
    test: {
      name: 'types',
      environment: 'node',
      include: [],
      typecheck: {
        enabled: true,
        only: true,
        include: ['test/**/*.test-d.ts'],
        // The type tests alone: `npm run types` checks the rest of the folder.
        tsconfig: 'test/types.tsconfig.json',
      },
    },
  },
  {
    ...source,
    test: {
      name: 'service',
      environment: 'node',
      setupFiles: 'test/helpers/nodeFetch.ts',
      include: ['service/test/**/*.test.ts'],
      ...shared,
      ...slow,
    },
  },
  {
    ...source,
    test: {
      name: 'simulation',
      environment: 'node',
      setupFiles: 'test/helpers/nodeFetch.ts',
      include: ['test/simulation/**/*.test.ts'],
      // Thousands of purchases on a busy machine.
      testTimeout: 3_600_000,
      hookTimeout: 60_000,
    },
  },
  {
    ...source,
    test: {
      name: 'e2e',
      environment: 'node',
      include: ['test/e2e/**/*.test.ts'],
      testTimeout: 240_000,
      hookTimeout: 240_000,
    },
  },
]

/** Every story as a test in a real browser; loaded only when asked for, since Storybook reads this file too. */
const storiesProject = async (): Promise<TestProjectInlineConfiguration> => {
  const { storybookTest } = await import('@storybook/addon-vitest/vitest-plugin')
  const { playwright } = await import('@vitest/browser-playwright')
  const { findBrowser } = await import('./scripts/browser.mjs')
  return {
    ...source,
    plugins: [storybookTest({ configDir: '.storybook' })],
    test: {
      name: 'stories',
      browser: {
        enabled: true,
        headless: true,
        provider: playwright({ launchOptions: findBrowser() }),
        instances: [{ browser: 'chromium' }],
      },
    },
  }
}

if (process.env.VITEST && existsSync('.storybook/main.ts')) projects.push(await storiesProject())

export default defineConfig({
  ...source,
  test: { projects, retry: 0, maxWorkers: 2 },
})
