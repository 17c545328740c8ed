import { defaultClientConditions, defaultServerConditions } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { reactCompiler } from './test/helpers/reactCompiler.js'
import { limits } from './test/limits.js'
import { isChange } from './test/scope.js'

/** Inside the repository `kassa/...` means its source, so nothing has to be built before a test runs. */
const source = {
  resolve: { conditions: ['@kassa/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@kassa/source', ...defaultServerConditions] } },
  // Where vitest runs the global setups.
  environments: { __vitest__: { resolve: { conditions: ['@kassa/source', ...defaultServerConditions] } } },
}

/** The lowest version of wagmi that the library may be installed with, in place of the one it is developed with. */
const underWagmi2 = { ...source, resolve: { ...source.resolve, alias: { wagmi: 'wagmi-2' } } }

/** A worker loads its modules once for all its files, because loading them takes longer than most tests. */
const shared = { isolate: false } as const

/** Tests that replace modules need modules of their own. */
const mocked = '**/*.mocked.test.ts'

/** Tests that write what is derived of the code into documents: `npm run fix` has them write it. */
const generated = '**/*.generated.test.ts'

/** Repeats on other ground what other tests test. `npm test` leaves them to `npm run test:all`. */
const extended = isChange ? ['**/*.extended.test.{ts,tsx}'] : []

const limited = {
  testTimeout: limits.testMs,
  hookTimeout: limits.testMs,
  expect: { poll: { timeout: limits.conditionMs } },
  exclude: ['**/node_modules/**', generated, ...extended],
}

const projects: TestProjectInlineConfiguration[] = [
  {
    ...source,
    test: {
      name: 'unit',
      environment: 'node',
      setupFiles: 'test/helpers/nodeFetch.ts',
      include: ['test/**/*.test.ts', 'clients/*.test.ts'],
      ...shared,
      ...limited,
      exclude: [...limited.exclude, 'test/{e2e,simulation,package,wagmi-2}/**', mocked],
    },
  },
  {
    ...source,
    test: {
      name: 'generated',
      environment: 'node',
      include: [generated],
      ...shared,
      ...limited,
      exclude: ['**/node_modules/**'],
    },
  },
  {
    ...source,
    test: { name: 'mocked', environment: 'node', include: [mocked], ...limited },
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
      ...limited,
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
      ...limited,
    },
  },
  {
    ...underWagmi2,
    test: {
      name: 'wagmi2',
      environment: './test/helpers/domWithNetwork.ts',
      include: [
        'test/wagmi-2/*.test.ts',
        'test/testing/purchase.test.tsx',
        'test/hooks/usePayOrder.test.tsx',
        'test/components/checkout/{payment,wallet}/*.test.tsx',
      ],
      globalSetup: 'test/helpers/serveShop.ts',
      setupFiles: 'test/helpers/strictDom.ts',
      ...shared,
      ...limited,
    },
  },
  {
    ...underWagmi2,
    // The payment's own tests need the service in their process, where no page lives.
    test: {
      name: 'wagmi2Pay',
      environment: 'node',
      setupFiles: 'test/helpers/nodeFetch.ts',
      include: ['test/pay/{*,evm/*}.test.ts'],
      ...shared,
      ...limited,
      exclude: [...limited.exclude, mocked],
    },
  },
  {
    // The packages as they would be published, so `kassa` means what was built.
    test: {
      name: 'package',
      environment: 'node',
      include: ['test/package/**/*.test.ts'],
      globalSetup: 'test/package/buildPackages.ts',
      ...limited,
    },
  },
  {
    ...source,
    test: {
      name: 'examples',
      environment: 'happy-dom',
      // Not shared: some of these replace modules that others have loaded.
      include: ['examples/*/test/**/*.test.{ts,tsx}'],
      setupFiles: 'test/helpers/patientDom.ts',
      ...limited,
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
      ...limited,
    },
  },
  {
    ...source,
    test: {
      name: 'simulation',
      environment: 'node',
      setupFiles: 'test/helpers/nodeFetch.ts',
      include: ['test/simulation/**/*.test.ts'],
      ...limited,
      // As many purchases as are asked for.
      testTimeout: 0,
    },
  },
  {
    ...source,
    test: {
      name: 'e2e',
      environment: 'node',
      include: ['test/e2e/**/*.test.ts'],
      ...limited,
    },
  },
]

/** The longest files of the tests in a browser. */
const longest = [
  'test/e2e/console.test.ts',
  'test/e2e/visual/storefront.test.ts',
  'test/e2e/visual/stories.test.ts',
]

/** Begins with the longest files, so that none of them runs alone at the end. A new clone has no times to sort by. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(file))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  ...source,
  test: {
    projects,
    retry: 0,
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Every worker reads what one has transformed.
    experimental: { fsModuleCache: true },
  },
})
